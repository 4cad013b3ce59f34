/** The grammar of SPF records (RFC 7208, section 12). Pure: parses a text to its terms or an error. */
import { isIPv4, isIPv6 } from 'node:net';
import { canonicalName } from './name.ts';

export type Qualifier = '+' | '-' | '~' | '?';

const MECHANISMS = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'] as const;
type MechanismName = (typeof MECHANISMS)[number];

export interface Mechanism {
  readonly name: MechanismName;
  readonly qualifier: Qualifier;
  /** The term's domain in canonical form; null without one, or with macros. */
  readonly domain: string | null;
  /** The domain in its original spelling, including macros. */
  readonly spec: string | null;
  /** For `ip4` and `ip6`. */
  readonly address: string | null;
  /** The prefix length; null means the whole address. */
  readonly bits4: number | null;
  readonly bits6: number | null;
  /** The original spelling. */
  readonly text: string;
}

export interface SpfRecord {
  readonly mechanisms: readonly Mechanism[];
  /** Canonical; null also with macros. */
  readonly redirect: string | null;
  /** The redirect in its original spelling. */
  readonly redirectSpec: string | null;
}

type ParsedSpf =
  | { readonly ok: true; readonly record: SpfRecord }
  | { readonly ok: false; readonly term: string; readonly problem: string };

/** The version, followed by a space or the end: `v=spf10` is no SPF record. */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** Not a valid SPF record, but apparently meant as one: quoted, indented, or with wrong spaces. */
export function looksLikeSpf(text: string): boolean {
  return !isSpfRecord(text) && /v\s*=\s*spf1/i.test(text.slice(0, 40));
}

/** For texts that are SPF records. Receivers discard a record with any syntax error. */
export function parseSpf(text: string): ParsedSpf {
  const mechanisms: Mechanism[] = [];
  const seen = new Set<string>();
  let redirectSpec: string | null = null;
  for (const term of text.slice('v=spf1'.length).split(' ')) {
    if (term === '') continue;
    const modifier = MODIFIER.exec(term);
    if (modifier === null) {
      const parsed = parseMechanism(term);
      if (typeof parsed === 'string') return { ok: false, term, problem: parsed };
      mechanisms.push(parsed);
      continue;
    }
    const name = (modifier[1] as string).toLowerCase();
    const problem = modifierProblem(name, modifier[2] as string, seen);
    if (problem !== null) return { ok: false, term, problem };
    seen.add(name);
    if (name === 'redirect') redirectSpec = modifier[2] as string;
  }
  const redirect = redirectSpec === null ? null : nameOf(redirectSpec);
  return { ok: true, record: { mechanisms, redirect, redirectSpec } };
}

const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/is;
const MECHANISM = /^([-+~?]?)([a-z0-9_.-]+)(.*)$/is;

function modifierProblem(name: string, value: string, seen: ReadonlySet<string>): string | null {
  if (name !== 'redirect' && name !== 'exp') return /^[!-~]*$/.test(value) ? null : NOT_ASCII;
  if (seen.has(name)) return `a record may have only one ${name}=`;
  return isDomainSpec(value) ? null : NO_DOMAIN;
}

const NO_DOMAIN = 'it does not name a domain';
const NOT_ASCII = 'it has characters that SPF does not allow';

function parseMechanism(term: string): Mechanism | string {
  const match = MECHANISM.exec(term);
  const name = MECHANISMS.find((one) => one === match?.[2]?.toLowerCase());
  if (match === null || name === undefined) return 'SPF has no such mechanism';
  const qualifier = (match[1] || '+') as Qualifier;
  const argument = parseArgument(name, match[3] as string);
  return argument.ok ? { name, qualifier, ...argument.given, text: term } : argument.problem;
}

type Given = Pick<Mechanism, 'domain' | 'spec' | 'address' | 'bits4' | 'bits6'>;
type Argument =
  | { readonly ok: true; readonly given: Given }
  | { readonly ok: false; readonly problem: string };

const NOTHING_GIVEN: Given = { domain: null, spec: null, address: null, bits4: null, bits6: null };
const NOTHING: Argument = { ok: true, given: NOTHING_GIVEN };

function parseArgument(name: MechanismName, rest: string): Argument {
  switch (name) {
    case 'all':
      return rest === '' ? NOTHING : { ok: false, problem: 'nothing may follow all' };
    case 'include':
    case 'exists':
      return domainArgument(rest);
    case 'ptr':
      return rest === '' ? NOTHING : domainArgument(rest);
    case 'a':
    case 'mx':
      return hostArgument(rest);
    case 'ip4':
      return networkArgument(rest, isIPv4, 32, 'IPv4');
    case 'ip6':
      return networkArgument(rest, isIPv6, 128, 'IPv6');
  }
}

function domainArgument(rest: string): Argument {
  const spec = rest.slice(1);
  if (!rest.startsWith(':') || !isDomainSpec(spec)) return { ok: false, problem: NO_DOMAIN };
  return { ok: true, given: { ...NOTHING_GIVEN, domain: nameOf(spec), spec } };
}

function hostArgument(rest: string): Argument {
  const [, spec, four, six] = /^(.*?)(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/s.exec(rest) ?? [];
  const bits4 = four === undefined ? null : Number(four);
  const bits6 = six === undefined ? null : Number(six);
  if ((bits4 ?? 0) > 32 || (bits6 ?? 0) > 128) return { ok: false, problem: 'its network is too long' };
  const named = spec === '' || spec === undefined ? NOTHING : domainArgument(spec);
  return named.ok ? { ok: true, given: { ...named.given, bits4, bits6 } } : named;
}

function networkArgument(
  rest: string,
  isAddress: (text: string) => boolean,
  maxBits: number,
  family: string,
): Argument {
  const [, address = '', given] = /^:([^/]*)(?:\/(\d{1,3}))?$/s.exec(rest) ?? [];
  const bits = given === undefined ? null : Number(given);
  if (isAddress(address) && (bits ?? 0) <= maxBits) {
    return { ok: true, given: { ...NOTHING_GIVEN, address, bits4: bits, bits6: bits } };
  }
  return { ok: false, problem: `it does not name an ${family} address or network` };
}

function isDomainSpec(text: string): boolean {
  if (!/^[!-~]+$/.test(text)) return false;
  return text.includes('%') ? !/%(?![{%_-])/.test(text) : canonicalName(text) !== null;
}

/** Null with macros, which depend on the mail in question. */
function nameOf(spec: string): string | null {
  return spec.includes('%') ? null : canonicalName(spec);
}
