/** Checks whether the address is valid in SMTP, and whether its domain imitates another. */
import { domainToUnicode } from 'node:url';
import type { Address, AddressProblem } from '../../protocols/message/address.ts';
import { skeletonOf, type ValidationLists } from '../lists.ts';
import type { SignalName } from '../score.ts';
import { type Finding, finding } from './check.ts';

export interface SyntaxFinding extends Finding {
  /** A well-known domain that this one resembles. */
  readonly similar_domain?: string;
}

type Doubt = readonly [reason: string, message: string, signal: SignalName];

const WELL_FORMED = finding('pass', 'well_formed', 'The address is well-formed.');

export function checkSyntax(
  address: Address | AddressProblem,
  lists: Pick<ValidationLists, 'lookalikes' | 'imitated'>,
): SyntaxFinding {
  if (!address.ok) return finding('fail', address.code, address.message, 'malformed_address');
  if (address.notes.length === 0 && !address.domain.includes('xn--')) return WELL_FORMED;
  const looksLike = imitatedBy(address, lists);
  const doubts = doubtsOf(address, looksLike);
  const [first] = doubts;
  if (first === undefined) return WELL_FORMED;
  const found = finding('warn', first[0], first[1], ...doubts.map(([, , signal]) => signal));
  return looksLike === null ? found : { ...found, similar_domain: looksLike };
}

function doubtsOf({ notes }: Address, looksLike: string | null): Doubt[] {
  const doubts: Doubt[] = [];
  const instead = looksLike === null ? '' : ` It looks like ${looksLike}.`;
  if (notes.includes('mixed_script')) {
    doubts.push(['mixed_script', `The address mixes letters of several scripts.${instead}`, 'mixed_scripts']);
  } else if (looksLike !== null) {
    doubts.push(['lookalike', `The domain can be mistaken for ${looksLike}.`, 'lookalike_domain']);
  }
  if (notes.includes('address_literal')) {
    doubts.push([
      'address_literal',
      'The domain is an IP address; few servers accept such mail.',
      'address_literal',
    ]);
  }
  if (notes.includes('quoted_local')) {
    doubts.push([
      'quoted_local',
      'The part before the @ is quoted: legal, but refused by many servers.',
      'quoted_local_part',
    ]);
  }
  if (notes.includes('smtputf8')) {
    doubts.push([
      'smtputf8',
      'The part before the @ needs SMTPUTF8, which not every server has.',
      'smtputf8_required',
    ]);
  }
  if (notes.includes('domain_mapped')) {
    doubts.push([
      'domain_mapped',
      'The domain was written with unusual characters that map to ordinary ones.',
      'mapped_domain',
    ]);
  }
  return doubts;
}

/** Only for names with non-ASCII letters: `rnicrosoft.com` may be a real name. */
function imitatedBy(
  { domain }: Address,
  { lookalikes, imitated }: Pick<ValidationLists, 'lookalikes' | 'imitated'>,
): string | null {
  if (!domain.includes('xn--')) return null;
  return imitated.get(skeletonOf(domainToUnicode(domain), lookalikes)) ?? null;
}
