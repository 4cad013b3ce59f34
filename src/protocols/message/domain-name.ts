/**
 * Domain names for mail: at least two labels, letters, digits and hyphens after IDNA, lower case.
 *
 * `url.domainToASCII` does the IDNA mapping, but it is a URL host parser: it parses `1.2.3` as an IPv4
 * address, drops soft hyphens, and accepts empty labels and underscores. So names are checked before and
 * after.
 */
import { domainToASCII, domainToUnicode } from 'node:url';
import type { Branded } from '../../runtime/branded.ts';
import { mixesScripts } from './scripts.ts';
import { findDeceptive, isPrintableAscii, type UnsafeText } from './unsafe-text.ts';

/** A-labels in lower case: the only form that is stored, compared, looked up or written. */
export type DomainName = Branded<'DomainName'>;

export type DomainProblemCode =
  | UnsafeText['kind']
  | 'domain_empty'
  | 'domain_too_long'
  | 'domain_character'
  | 'domain_empty_label'
  | 'domain_trailing_dot'
  | 'domain_single_label'
  | 'domain_label_too_long'
  | 'domain_hyphen'
  | 'domain_numeric_tld'
  | 'domain_bad_idn';

export type DomainProblem = {
  readonly ok: false;
  readonly code: DomainProblemCode;
  /** A sentence that tells a developer what to change. */
  readonly message: string;
};

type CanonicalDomain = {
  readonly ok: true;
  readonly domain: DomainName;
  /** True if IDNA changed more than letter case and encoding: `gmail。com`, full-width letters. */
  readonly mapped: boolean;
  readonly mixedScript: boolean;
};

const MAX_DOMAIN_OCTETS = 253;
/** A longer name cannot become legal by any IDNA mapping (two code units per code point). */
const MAX_INPUT_CHARS = 2 * MAX_DOMAIN_OCTETS;
const MAX_LABEL_OCTETS = 63;
const ENCODED_LABEL = /(?:^|\.)xn--/;
const NOT_LDH = /[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u;
/** `0x7f` counts as a number because URL parsers and old resolvers accept it as one. */
const NUMERIC_TLD = /^(?:[0-9]+|0x[0-9a-f]*)$/;
const KELVIN_SIGN = '\u212a';

export function canonicalDomain(input: string): CanonicalDomain | DomainProblem {
  if (input === '') return problem('domain_empty', 'The domain is missing.');
  if (input.length > MAX_INPUT_CHARS) return tooLong();
  const unsafe = findDeceptive(input);
  if (unsafe !== null) {
    return problem(unsafe.kind, `The domain contains ${unsafe.codePoint}, which is not allowed there.`);
  }
  const character = NOT_LDH.exec(input);
  if (character !== null) {
    return problem(
      'domain_character',
      `The domain contains ${quote(character[0])}, which no domain name can.`,
    );
  }
  return isPrintableAscii(input) && !/xn--/i.test(input) ? plainDomain(input) : internationalDomain(input);
}

function plainDomain(input: string): CanonicalDomain | DomainProblem {
  const domain = input.toLowerCase();
  return checkLabels(domain) ?? { ok: true, domain: domain as DomainName, mapped: false, mixedScript: false };
}

function internationalDomain(input: string): CanonicalDomain | DomainProblem {
  const domain = domainToASCII(input);
  const unicode = domainToUnicode(domain);
  // Node 24 and newer leave an undecodable label unchanged; older versions return nothing.
  if (domain === '' || unicode === '' || ENCODED_LABEL.test(unicode) || domainToASCII(unicode) !== domain) {
    return problem('domain_bad_idn', 'The domain is not a valid internationalized domain name.');
  }
  const shape = checkLabels(domain);
  if (shape !== null) return shape;
  if (NOT_LDH.test(domain)) {
    return problem('domain_bad_idn', 'The domain maps to characters that no domain can have.');
  }
  // Checked before encoding, which moves a hyphen away from the edge.
  if (/(?:^|\.)-|-(?:\.|$)/.test(unicode)) return hyphen();
  return {
    ok: true,
    domain: domain as DomainName,
    mapped: wasMapped(input, domain, unicode),
    mixedScript: unicode.split('.').some(mixesScripts),
  };
}

function checkLabels(domain: string): DomainProblem | null {
  if (domain.length > MAX_DOMAIN_OCTETS) return tooLong();
  const labels = domain.split('.');
  const tld = labels.at(-1) as string;
  if (tld === '') return problem('domain_trailing_dot', 'The domain ends with a dot; leave the dot out.');
  for (const label of labels) {
    if (label === '') {
      return problem('domain_empty_label', 'The domain has two dots in a row or starts with a dot.');
    }
    if (label.startsWith('-') || label.endsWith('-')) return hyphen();
    if (label.length > MAX_LABEL_OCTETS) {
      return problem('domain_label_too_long', 'A part of the domain is longer than 63 characters.');
    }
  }
  if (NUMERIC_TLD.test(tld)) {
    return problem(
      'domain_numeric_tld',
      'The domain ends in a number; give a domain name, not an IP address.',
    );
  }
  if (labels.length < 2) {
    return problem('domain_single_label', `The domain ${quote(tld)} has no dot; give the full domain name.`);
  }
  return null;
}

function wasMapped(input: string, domain: string, unicode: string): boolean {
  if (input.includes(KELVIN_SIGN)) return true; // the only non-ASCII letter whose lower case is ASCII
  const given = input.normalize('NFC').toLowerCase().split('.');
  const ascii = domain.split('.');
  const native = unicode.split('.');
  return given.length !== ascii.length || given.some((label, i) => label !== ascii[i] && label !== native[i]);
}

function tooLong(): DomainProblem {
  return problem('domain_too_long', `The domain is longer than ${MAX_DOMAIN_OCTETS} characters.`);
}

function hyphen(): DomainProblem {
  return problem('domain_hyphen', 'A part of the domain starts or ends with a hyphen.');
}

function problem(code: DomainProblemCode, message: string): DomainProblem {
  return { ok: false, code, message };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
