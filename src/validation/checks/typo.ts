/** Checks whether the domain is a misspelling. */
import type { Address } from '../../protocols/message/address.ts';
import type { DomainFacts } from '../domain-facts.ts';
import type { DomainPlace } from '../domain-parents.ts';
import type { ValidationLists } from '../lists.ts';
import { suggestDomain } from '../suggest-domain.ts';
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
