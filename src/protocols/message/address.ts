/**
 * The single parser for every email address that the service accepts.
 *
 * It parses the envelope grammar (RFC 5321 and 6531: dot-atom, quoted string, address literal), not the
 * header grammar: comments, folding white space, obsolete forms and display names are legal in a header field
 * but never in a RCPT command, so each is refused with its own reason. The work is linear in the input, and
 * the length is checked first.
 */
import { isIPv4, isIPv6 } from 'node:net';
import type { Branded } from '../../runtime/branded.ts';
import { canonicalDomain, type DomainName, type DomainProblemCode } from './domain-name.ts';
import { mixesScripts } from './scripts.ts';
import { findDeceptive, isPrintableAscii } from './unsafe-text.ts';

/** The form for SMTP and headers: the local part as given, the domain as lower-case A-labels. */
export type EmailAddress = Branded<'EmailAddress'>;
/** Equal for two spellings of one mailbox; for suppression and deduplication, never for sending. */
export type AddressKey = Branded<'AddressKey'>;
/** An IP address in brackets, in place of a domain. */
type AddressLiteral = Branded<'AddressLiteral'>;
export type MailDomain = DomainName | AddressLiteral;

type AddressNote = 'quoted_local' | 'address_literal' | 'smtputf8' | 'mixed_script' | 'domain_mapped';

export type Address = {
  readonly ok: true;
  readonly email: EmailAddress;
  readonly local: string;
  readonly domain: MailDomain;
  readonly key: AddressKey;
  readonly kind: 'dot-atom' | 'quoted' | 'literal';
  readonly subaddress: string | null;
  readonly notes: readonly AddressNote[];
};

type AddressProblemCode =
  | DomainProblemCode
  | 'empty'
  | 'too_long'
  | 'surrounding_space'
  | 'display_name'
  | 'several_addresses'
  | 'comment_or_folding'
  | 'obsolete_form'
  | 'missing_at'
  | 'local_empty'
  | 'local_too_long'
  | 'local_dots'
  | 'local_character'
  | 'local_quoting'
  | 'bad_address_literal';

export type AddressProblem = {
  readonly ok: false;
  readonly code: AddressProblemCode;
  /** A sentence that tells a developer what to change. */
  readonly message: string;
};

type Halves = { readonly ok: true; readonly local: string; readonly rest: string; readonly quoted: boolean };
type Domain = {
  readonly ok: true;
  readonly domain: MailDomain;
  readonly literal: boolean;
  readonly notes: AddressNote[];
};

const MAX_OCTETS = 254;
const MAX_LOCAL_OCTETS = 64;
/** Longer than any legal address in UTF-16 code units, for any IDNA mapping of its domain. */
const MAX_INPUT_CHARS = 2 * MAX_OCTETS;

const NOT_ATEXT = /[^A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\u{10ffff}]/u;
const DOT_ATOM = /^[^.]+(?:\.[^.]+)*$/;
/** RFC 5321 allows a backslash before printable ASCII only. */
const QUOTED_CONTENT = /^(?:[^"\\]|\\[\x20-\x7e])*/;

export function parseAddress(input: string): Address | AddressProblem {
  return parseCommon(input) ?? parseAny(input);
}

/** Matches almost every address: no rule below can refuse or change these. */
const COMMON =
  /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const NO_NOTES: readonly AddressNote[] = [];

/** One test instead of a dozen, because a batch has a thousand addresses. */
function parseCommon(input: string): Address | null {
  if (input.length > MAX_OCTETS || !COMMON.test(input) || input.includes('xn--')) return null;
  const at = input.indexOf('@');
  if (at > MAX_LOCAL_OCTETS) return null;
  const local = input.slice(0, at);
  return {
    ok: true,
    email: input as EmailAddress,
    local,
    domain: input.slice(at + 1) as DomainName,
    key: input.toLowerCase() as AddressKey,
    kind: 'dot-atom',
    subaddress: subaddressOf(local),
    notes: NO_NOTES,
  };
}

/** Applies all rules. Exported for the test that compares both paths. */
export function parseAny(input: string): Address | AddressProblem {
  const refused = refuseAtSight(input);
  if (refused !== null) return refused;
  const halves = input.startsWith('"') ? splitQuoted(input) : splitPlain(input);
  if (!halves.ok) return halves;
  if (Buffer.byteLength(halves.local) > MAX_LOCAL_OCTETS) {
    return problem('local_too_long', 'The part before the @ is longer than 64 octets.');
  }
  const domain = halves.rest.startsWith('[') ? parseLiteral(halves.rest) : parseDomain(halves.rest);
  if (!domain.ok) return domain;
  if (Buffer.byteLength(halves.local) + 1 + domain.domain.length > MAX_OCTETS) return tooLong();
  return assemble(halves, domain);
}

/** Literals (`jane@[192.0.2.1]`) are well-formed, but have no verified domain or MX records. */
export function isSendable(address: Address): boolean {
  return address.kind !== 'literal';
}

/**
 * False for addresses with an @, brackets or commas in a quoted part, because programs disagree about where
 * these end.
 */
export function isReadAlike({ kind, local }: Address): boolean {
  return kind !== 'quoted' || /^"[A-Za-z0-9 ._+-]*"$/.test(local);
}

/** For stored addresses without their domain. */
export function domainOf(email: EmailAddress): MailDomain {
  return email.slice(email.lastIndexOf('@') + 1) as MailDomain;
}

/** For stored addresses without their key. */
export function addressKeyOf(email: EmailAddress): AddressKey {
  if (isPrintableAscii(email) && !email.startsWith('"')) return email.toLowerCase() as AddressKey;
  const { local, domain } = halvesOf(email);
  return keyFrom(local, domain);
}

/** The text before and after the last @ of a text that need not be an address. */
export function halvesOf(text: string): { readonly local: string; readonly domain: string } {
  const at = text.lastIndexOf('@');
  return { local: text.slice(0, Math.max(at, 0)), domain: text.slice(at + 1) };
}

function refuseAtSight(input: string): AddressProblem | null {
  if (input === '') return problem('empty', 'The address is empty.');
  if (input.length > MAX_INPUT_CHARS) return tooLong();
  if (input.trim() !== input) return problem('surrounding_space', 'Remove the space around the address.');
  const unsafe = findDeceptive(input);
  if (unsafe !== null) {
    return problem(
      unsafe.kind,
      `The address contains ${unsafe.codePoint}, which is not allowed in an address.`,
    );
  }
  if (input.endsWith('>') && input.includes('<')) {
    return problem('display_name', 'Give the bare address in "email" and the display name in "name".');
  }
  return null;
}

function splitQuoted(input: string): Halves | AddressProblem {
  const content = (QUOTED_CONTENT.exec(input.slice(1)) as RegExpExecArray)[0];
  const end = content.length + 1;
  if (input[end] !== '"') {
    return problem('local_quoting', 'The quoted part before the @ is not closed or has a stray backslash.');
  }
  const next = input[end + 1];
  if (next === '@')
    return { ok: true, local: input.slice(0, end + 1), rest: input.slice(end + 2), quoted: true };
  if (next === undefined) return missingAt();
  if (next === '.') return obsolete();
  if (next === ' ' || next === '(') return commentOrFolding();
  return problem('local_quoting', 'Only the @ may follow the closing quote.');
}

function splitPlain(input: string): Halves | AddressProblem {
  const at = input.indexOf('@');
  const local = at === -1 ? input : input.slice(0, at);
  const character = NOT_ATEXT.exec(local)?.[0];
  if (character !== undefined) return badLocalCharacter(character);
  if (at === -1) return missingAt();
  if (local === '') return problem('local_empty', 'There is nothing before the @.');
  if (!DOT_ATOM.test(local)) {
    return problem(
      'local_dots',
      'The part before the @ starts or ends with a dot, or has two dots in a row.',
    );
  }
  return { ok: true, local, rest: input.slice(at + 1), quoted: false };
}

function badLocalCharacter(character: string): AddressProblem {
  if (character === ' ' || character === '(' || character === ')') return commentOrFolding();
  if (character === '"') return obsolete();
  if (character === ',' || character === ';') return severalAddresses();
  return problem(
    'local_character',
    `The part before the @ contains ${JSON.stringify(character)}, which it cannot.`,
  );
}

function parseDomain(rest: string): Domain | AddressProblem {
  if (/[,;]/.test(rest)) return severalAddresses();
  if (/[ ()]/.test(rest)) return commentOrFolding();
  if (rest.includes('@')) return problem('domain_character', 'The address has more than one @.');
  const result = canonicalDomain(rest);
  if (!result.ok) return result;
  const notes: AddressNote[] = [];
  if (result.mixedScript) notes.push('mixed_script');
  if (result.mapped) notes.push('domain_mapped');
  return { ok: true, domain: result.domain, literal: false, notes };
}

function parseLiteral(rest: string): Domain | AddressProblem {
  const body = rest.endsWith(']') ? rest.slice(1, -1) : '';
  if (isIPv4(body))
    return { ok: true, domain: `[${body}]` as AddressLiteral, literal: true, notes: ['address_literal'] };
  const ip = /^ipv6:/i.test(body) ? body.slice('ipv6:'.length).toLowerCase() : '';
  // Node accepts a zone (`fe80::1%eth0`), which is meaningless on another machine.
  if (isIPv6(ip) && !ip.includes('%')) {
    return { ok: true, domain: `[IPv6:${ip}]` as AddressLiteral, literal: true, notes: ['address_literal'] };
  }
  return problem(
    'bad_address_literal',
    'In brackets only an IP address is understood: [192.0.2.1], [IPv6:2001:db8::1].',
  );
}

function assemble(halves: Halves, domain: Domain): Address {
  const { local, quoted } = halves;
  const isUnicode = !isPrintableAscii(local);
  const notes = new Set<AddressNote>(domain.notes);
  if (quoted) notes.add('quoted_local');
  if (isUnicode) notes.add('smtputf8');
  // Checked per word: "иван.smith" is two names, "jаne" with a Cyrillic а is a disguise.
  if (isUnicode && local.split(/[^\p{L}\p{M}]+/u).some(mixesScripts)) notes.add('mixed_script');
  return {
    ok: true,
    email: `${local}@${domain.domain}` as EmailAddress,
    local,
    domain: domain.domain,
    key: keyFrom(local, domain.domain),
    kind: domain.literal ? 'literal' : quoted ? 'quoted' : 'dot-atom',
    subaddress: quoted ? null : subaddressOf(local),
    notes: [...notes],
  };
}

function keyFrom(local: string, domain: string): AddressKey {
  return `${localKey(local)}@${domain.toLowerCase()}` as AddressKey;
}

/** `"jane"@x` and `jane@x` are one mailbox in RFC 5321, so needless quotes must not bypass suppression. */
function localKey(local: string): string {
  let text = local;
  if (local.startsWith('"')) {
    const content = local.slice(1, -1).replace(/\\(.)/g, '$1');
    const plain = DOT_ATOM.test(content) && !NOT_ATEXT.test(content);
    text = plain ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
  }
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

function subaddressOf(local: string): string | null {
  const plus = local.indexOf('+');
  return plus > 0 && plus < local.length - 1 ? local.slice(plus + 1) : null;
}

function tooLong(): AddressProblem {
  return problem('too_long', `The address is longer than ${MAX_OCTETS} octets.`);
}

function missingAt(): AddressProblem {
  return problem('missing_at', 'The address has no @.');
}

function commentOrFolding(): AddressProblem {
  return problem('comment_or_folding', 'Remove the spaces, comments or line folding from the address.');
}

function severalAddresses(): AddressProblem {
  return problem('several_addresses', 'Give one address per entry; this looks like a list.');
}

function obsolete(): AddressProblem {
  return problem('obsolete_form', 'Quote the whole part before the @ or none of it.');
}

function problem(code: AddressProblemCode, message: string): AddressProblem {
  return { ok: false, code, message };
}
