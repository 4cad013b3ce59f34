/**
 * Which domain was meant? Four rules, the surest first: the list of known misspellings, a top-level domain that does
 * not exist, a provider's name under a wrong suffix, and closeness to a popular provider. A domain that is known to be
 * real is never "corrected", and of equally close providers the more popular one is suggested.
 */
import { hostAndParents, type SplitDomain, splitDomain } from './domain-parents.ts';
import { editDistance, isSlip } from './edit-distance.ts';
import type { TypoLists, ValidationLists } from './lists.ts';

export type Suggestion =
  | { readonly kind: 'known_typo' | 'likely_typo'; readonly domain: string }
  /** `domain` null: nothing that was likely meant comes to mind. */
  | { readonly kind: 'unknown_tld'; readonly domain: string | null };

type Lists = Pick<ValidationLists, 'typos' | 'providers'>;

export function suggestDomain(domain: string, lists: Lists): Suggestion | null {
  const known = lists.typos.known.get(domain);
  if (known !== undefined) return { kind: 'known_typo', domain: known };
  if (domain.startsWith(WWW) && lists.providers.has(domain.slice(WWW.length))) {
    return { kind: 'likely_typo', domain: domain.slice(WWW.length) };
  }
  if (isReal(domain, lists)) return null;
  const split = splitDomain(domain);
  if (!split.tldExists) return { kind: 'unknown_tld', domain: repairTld(domain, lists) };
  const meant = underWrongSuffix(domain, split, lists.typos) ?? closest(domain, split, lists.typos);
  return meant === null ? null : { kind: 'likely_typo', domain: meant };
}

const WWW = 'www.';

function isReal(domain: string, { providers }: Lists): boolean {
  return hostAndParents(domain).some((name) => providers.has(name));
}

/** What fingers make of the suffixes that most addresses end with, where it is no top-level domain itself. */
const SUFFIX_SLIPS: Readonly<Record<string, string>> = {
  com: 'cmo ocm cmm vpm cpn xon coj',
  net: 'nte ent',
  org: 'ogr rog',
};
const MEANT_BY = new Map(
  Object.entries(SUFFIX_SLIPS).flatMap(([meant, slips]) => slips.split(' ').map((slip) => [slip, meant])),
);
const REPAIRED = ['com', 'net', 'org'];

/** The name keeps its own spelling unless that is a slip as well: `gmial.con` means gmail.com. */
function repairTld(domain: string, lists: Lists): string | null {
  const { targets } = lists.typos;
  const provider = targets.find((target) => editDistance(domain, target, 1) <= 1);
  if (provider !== undefined) return provider;
  const brand = brandOf(domain);
  if (BRANDS.has(brand)) return underBrand(brand, domain.slice(brand.length + 1), targets);
  const dot = domain.lastIndexOf('.');
  const tld = domain.slice(dot + 1);
  const suffix = MEANT_BY.get(tld) ?? REPAIRED.find((one) => editDistance(tld, one, 1) <= 1);
  if (suffix === undefined) return null;
  const repaired = `${domain.slice(0, dot)}.${suffix}`;
  return suggestDomain(repaired, lists)?.domain ?? repaired;
}

/** Names that stand for one provider and nothing else, so any other suffix is a mistake. */
const BRANDS = new Set(
  'gmail googlemail yahoo hotmail outlook icloud aol ymail rocketmail protonmail comcast sbcglobal bellsouth btinternet virginmedia ntlworld wanadoo hanmail rediffmail optusnet blueyonder hetnet'.split(
    ' ',
  ),
);
/** Real top-level domains that mostly come from leaving out or hitting beside a letter of `.com`. */
const COM_SLIPS = new Set(['co', 'cm', 'om', 'cc', 'cam', 'com.com', 'com.co', 'co.com', 'con.co']);

function underWrongSuffix(
  domain: string,
  { name, suffix }: SplitDomain,
  { targets, known }: TypoLists,
): string | null {
  const extended = targets.find((target) => domain.startsWith(`${target}.`) && BRANDS.has(brandOf(target)));
  if (extended !== undefined) return extended;
  if (BRANDS.has(name)) return underBrand(name, suffix, targets);
  if (!COM_SLIPS.has(suffix)) return null;
  const asCom = `${name}.com`;
  const twice =
    known.get(asCom) ?? closest(asCom, { name, suffix: 'com', tldExists: true }, { targets, known });
  return twice !== null && BRANDS.has(brandOf(twice)) ? twice : null;
}

/** The provider's country domain if its suffix is nearly that (`co.ik`), otherwise its first. */
function underBrand(brand: string, suffix: string, targets: readonly string[]): string | null {
  const own = targets.filter((target) => brandOf(target) === brand);
  const near = own.find(
    (target) => suffix.includes('.') && editDistance(suffix, target.slice(brand.length + 1), 1) <= 1,
  );
  return near ?? own[0] ?? null;
}

function brandOf(target: string): string {
  return target.slice(0, target.indexOf('.'));
}

/** Words of a language: one letter off is another word, and somebody's company. Only plain slips count for them. */
const WORDS = new Set(
  'live free orange sky web charter rogers shaw terra proton naver mail onet telenet skynet interia zoho daum rambler foxmail fastmail ymail planet freenet libero bluewin'.split(
    ' ',
  ),
);
const ANY_EDIT_FROM = 5;
const TWO_EDITS_FROM = 7;

function closest(domain: string, { suffix }: SplitDomain, { targets }: TypoLists): string | null {
  let best: string | null = null;
  let least = 3;
  for (const target of targets) {
    const distance = distanceTo(target, domain, suffix);
    if (distance < least) [best, least] = [target, distance];
  }
  return best;
}

function distanceTo(target: string, domain: string, suffix: string): number {
  const brand = brandOf(target);
  const limit = brand.length >= TWO_EDITS_FROM && !WORDS.has(brand) ? 2 : 1;
  if (Math.abs(target.length - domain.length) > limit) return Number.POSITIVE_INFINITY;
  const distance = editDistance(domain, target, limit);
  if (distance > limit) return Number.POSITIVE_INFINITY;
  const sameSuffix = suffix === target.slice(brand.length + 1);
  const loose = brand.length >= ANY_EDIT_FROM && !WORDS.has(brand);
  if (!loose) return sameSuffix && isSlip(domain, target) ? distance : Number.POSITIVE_INFINITY;
  // Two edits only within the name and from the same first letter: footmail.com is not hotmail.com.
  if (distance === 2 && !(sameSuffix && domain[0] === target[0])) return Number.POSITIVE_INFINITY;
  return distance;
}
