/** Checks whether the domain is a misspelling. */
import type { Address } from '../../protocols/message/address.ts';
import { editDistance, isSlip, lettersOf, mayBeWithin } from '../../runtime/edit-distance.ts';
import type { DomainFacts } from '../domain-facts.ts';
import {
  type DomainPlace,
  placeOf,
  type TypoLists,
  type TypoTarget,
  type ValidationLists,
} from '../lists.ts';
import { type Finding, finding } from './check.ts';

export interface TypoFinding extends Finding {
  /** Full addresses. */
  readonly suggestions: readonly { readonly suggested: string }[];
}

const NO_TYPO: TypoFinding = {
  ...finding('pass', 'no_typo', 'The domain does not look misspelled.'),
  suggestions: [],
};

export function checkTypo(
  address: Address,
  place: DomainPlace,
  lists: Pick<ValidationLists, 'typos' | 'providers'>,
  facts: DomainFacts,
): TypoFinding {
  const suggestion = facts.kind === 'asked' ? suggestDomain(place, lists) : null;
  const suggestions =
    suggestion === null || suggestion.domain === null
      ? []
      : [{ suggested: `${address.local}@${suggestion.domain}` }];
  switch (suggestion?.kind) {
    case undefined:
      return NO_TYPO;
    case 'known_typo': {
      const message = `The domain is a common misspelling of ${suggestion?.domain}.`;
      return { ...finding('fail', 'known_typo', message, 'known_typo'), suggestions };
    }
    case 'likely_typo': {
      const message = `The domain looks like a misspelling of ${suggestion?.domain}.`;
      return { ...finding('warn', 'likely_typo', message, 'likely_typo'), suggestions };
    }
    case 'unknown_tld':
      return { ...judgeUnknownTld(address.domain, facts, suggestions.length > 0), suggestions };
  }
}

/** DNS overrides our list of top-level domains, which may lack new ones. */
function judgeUnknownTld(domain: string, facts: DomainFacts, repairable: boolean): Finding {
  const tld = domain.slice(domain.lastIndexOf('.') + 1);
  if (facts.kind === 'asked' && (facts.mx.kind === 'found' || facts.addresses.kind === 'found')) {
    return finding(
      'pass',
      'new_tld',
      `The top-level domain .${tld} is not on our list, but the domain exists.`,
    );
  }
  if (!repairable && facts.kind === 'asked' && facts.mx.kind === 'unavailable') {
    return finding(
      'unknown',
      'new_tld',
      `The top-level domain .${tld} is not on our list, and DNS did not answer.`,
    );
  }
  return finding('fail', 'unknown_tld', `There is no top-level domain .${tld}.`, 'unknown_tld');
}

type Suggestion =
  | { readonly kind: 'known_typo' | 'likely_typo'; readonly domain: string }
  /** `domain` is null without a likely suggestion. */
  | { readonly kind: 'unknown_tld'; readonly domain: string | null };

type Lists = Pick<ValidationLists, 'typos' | 'providers'>;

/**
 * Suggests the intended domain of a misspelling. Four rules, most reliable first: the list of known misspellings, a
 * nonexistent top-level domain, a provider's name with a wrong suffix, and a small edit distance to a popular
 * provider. Known real domains are never corrected; of equally close providers the more popular one is suggested.
 */
export function suggestDomain(place: DomainPlace, lists: Lists): Suggestion | null {
  const { domain } = place;
  const known = lists.typos.known.get(domain);
  if (known !== undefined) return { kind: 'known_typo', domain: known };
  if (domain.startsWith(WWW) && lists.providers.has(domain.slice(WWW.length))) {
    return { kind: 'likely_typo', domain: domain.slice(WWW.length) };
  }
  if (place.names.some((name) => lists.providers.has(name))) return null;
  if (!place.tldExists) return { kind: 'unknown_tld', domain: repairTld(domain, lists) };
  const meant = underWrongSuffix(place, lists.typos) ?? closest(place, lists.typos);
  return meant === null ? null : { kind: 'likely_typo', domain: meant };
}

const WWW = 'www.';

/** Typing errors of the most common suffixes, as far as they are no top-level domains themselves. */
const SUFFIX_SLIPS: Readonly<Record<string, string>> = {
  com: 'cmo ocm cmm vpm cpn xon coj',
  net: 'nte ent',
  org: 'ogr rog',
};
const MEANT_BY = new Map(
  Object.entries(SUFFIX_SLIPS).flatMap(([meant, slips]) => slips.split(' ').map((slip) => [slip, meant])),
);
const REPAIRED = ['com', 'net', 'org'];

/** Keeps the name unless it is misspelled as well: `gmial.con` becomes gmail.com. */
function repairTld(domain: string, lists: Lists): string | null {
  const { targets } = lists.typos;
  const provider = targets.find((target) => editDistance(domain, target.domain, 1) <= 1);
  if (provider !== undefined) return provider.domain;
  const brand = domain.slice(0, domain.indexOf('.'));
  if (BRANDS.has(brand)) return underBrand(brand, domain.slice(brand.length + 1), targets);
  const dot = domain.lastIndexOf('.');
  const tld = domain.slice(dot + 1);
  const suffix = MEANT_BY.get(tld) ?? REPAIRED.find((one) => editDistance(tld, one, 1) <= 1);
  if (suffix === undefined) return null;
  const repaired = `${domain.slice(0, dot)}.${suffix}`;
  return suggestDomain(placeOf(repaired), lists)?.domain ?? repaired;
}

/** Names that belong to exactly one provider, so any other suffix is a mistake. */
const BRANDS = new Set(
  'gmail googlemail yahoo hotmail outlook icloud aol ymail rocketmail protonmail comcast sbcglobal bellsouth btinternet virginmedia ntlworld wanadoo hanmail rediffmail optusnet blueyonder hetnet'.split(
    ' ',
  ),
);
/** Real top-level domains that mostly result from omitting or mistyping a letter of `.com`. */
const COM_SLIPS = new Set(['co', 'cm', 'om', 'cc', 'cam', 'com.com', 'com.co', 'co.com', 'con.co']);

function underWrongSuffix({ domain, name, suffix }: DomainPlace, typos: TypoLists): string | null {
  const brand = domain.slice(0, domain.indexOf('.'));
  if (BRANDS.has(brand)) {
    const extended = typos.targets.find(
      (target) => target.brand === brand && isExtended(target.domain, domain),
    );
    if (extended !== undefined) return extended.domain;
    if (brand === name) return underBrand(brand, suffix, typos.targets);
  }
  if (!COM_SLIPS.has(suffix)) return null;
  const asCom = `${name}.com`;
  const twice = typos.known.get(asCom) ?? closest({ domain: asCom, suffix: 'com' }, typos);
  return twice !== null && BRANDS.has(twice.slice(0, twice.indexOf('.'))) ? twice : null;
}

/** `gmail.com.co` */
function isExtended(target: string, domain: string): boolean {
  return domain.startsWith(target) && domain[target.length] === '.';
}

/** The provider's country domain if the suffix is similar (`co.ik`), otherwise its first domain. */
function underBrand(brand: string, suffix: string, targets: readonly TypoTarget[]): string | null {
  const own = targets.filter((target) => target.brand === brand);
  const near = own.find((target) => suffix.includes('.') && editDistance(suffix, target.suffix, 1) <= 1);
  return (near ?? own[0])?.domain ?? null;
}

/** Dictionary words: one letter off is another word and may be a company. Only obvious typing errors are corrected. */
const WORDS = new Set(
  'live free orange sky web charter rogers shaw terra proton naver mail onet telenet skynet interia zoho daum rambler foxmail fastmail ymail planet freenet libero bluewin'.split(
    ' ',
  ),
);
const ANY_EDIT_FROM = 5;
const TWO_EDITS_FROM = 7;

function closest(place: Pick<DomainPlace, 'domain' | 'suffix'>, { targets }: TypoLists): string | null {
  const letters = lettersOf(place.domain);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    if (Math.abs(target.domain.length - place.domain.length) > 2) continue;
    if (!mayBeWithin(2, letters, target.letters)) continue;
    const distance = distanceTo(target, place);
    if (distance < least) [best, least] = [target.domain, distance];
  }
  return best;
}

function distanceTo(target: TypoTarget, { domain, suffix }: Pick<DomainPlace, 'domain' | 'suffix'>): number {
  const { brand } = target;
  const isWord = WORDS.has(brand);
  const limit = brand.length >= TWO_EDITS_FROM && !isWord ? 2 : 1;
  const distance = editDistance(domain, target.domain, limit);
  if (distance > limit) return Number.POSITIVE_INFINITY;
  const sameSuffix = suffix === target.suffix;
  if (isWord || brand.length < ANY_EDIT_FROM) {
    return sameSuffix && isSlip(domain, target.domain) ? distance : Number.POSITIVE_INFINITY;
  }
  // Two edits are accepted only within the name and after the same first letter: footmail.com is not hotmail.com.
  if (distance === 2 && !(sameSuffix && domain[0] === brand[0])) return Number.POSITIVE_INFINITY;
  return distance;
}
