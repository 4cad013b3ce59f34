/**
 * Evaluates SPF as a receiver would: check_host() of RFC 7208, section 4, with its limits of ten DNS terms,
 * two void lookups, ten MX hosts and ten reverse names. All queries go through `lookups`.
 */
import { BlockList, isIPv4 } from 'node:net';
import { halvesOf } from '../message/address.ts';
import type { Answer, MxRecord } from './answer.ts';
import { canonicalName } from './name.ts';
import { hexDigits } from './reverse-name.ts';
import { isSpfRecord, type Mechanism, parseSpf, type Qualifier, type SpfRecord } from './spf-record.ts';

export interface SpfLookups {
  txt(name: string): Promise<Answer<string>>;
  a(name: string): Promise<Answer<string>>;
  aaaa(name: string): Promise<Answer<string>>;
  mx(name: string): Promise<Answer<MxRecord>>;
  ptr(address: string): Promise<Answer<string>>;
}

interface SpfQuestion {
  readonly address: string;
  /** The domain whose record is evaluated. */
  readonly domain: string;
  readonly sender: string;
  readonly helo: string;
}

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror';

interface HostChecked {
  readonly result: SpfResult;
  /** DNS terms evaluated until the decision. */
  readonly lookups: number;
  /** Why the record is unusable. */
  readonly problem: SpfProblem | null;
  /** The domain whose record has the deciding term, or the problem. */
  readonly at: string;
  /** Decided by `all`, which matches every address. */
  readonly byAll: boolean;
}

type SpfProblem =
  | 'too_many_lookups'
  | 'too_many_voids'
  | 'too_many_hosts'
  | 'no_record'
  | 'several'
  | 'malformed';

export const MAX_LOOKUPS = 10;
const MAX_VOIDS = 2;
const MAX_NAMES = 10;
export const COSTS_A_LOOKUP: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists']);
const RESULTS: Readonly<Record<Qualifier, SpfResult>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};

export async function checkHost(lookups: SpfLookups, question: SpfQuestion): Promise<HostChecked> {
  const evaluation = new Evaluation(lookups, question);
  try {
    const decided = await evaluation.of(question.domain);
    return { ...decided, lookups: Math.min(evaluation.lookups, MAX_LOOKUPS), problem: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { result, at, problem } = error;
    return { result, at, problem, lookups: Math.min(evaluation.lookups, MAX_LOOKUPS), byAll: false };
  }
}

/** Ends an evaluation early; caught only by the function that began it. */
class Stopped extends Error {
  readonly result: 'permerror' | 'temperror';
  readonly at: string;
  readonly problem: SpfProblem | null;

  constructor(result: 'permerror' | 'temperror', at: string, problem: SpfProblem | null) {
    super(`SPF ends with ${result} at ${at}.`);
    this.result = result;
    this.at = at;
    this.problem = problem;
  }
}

type Decided = Pick<HostChecked, 'result' | 'at' | 'byAll'>;

/** Owns the counters across all records of one evaluation. */
class Evaluation {
  readonly #ask: SpfLookups;
  readonly #question: SpfQuestion;
  lookups = 0;
  #voids = 0;

  constructor(ask: SpfLookups, question: SpfQuestion) {
    this.#ask = ask;
    this.#question = question;
  }

  async of(domain: string): Promise<Decided> {
    const record = await this.#record(domain);
    if (record === null) return { result: 'none', at: domain, byAll: false };
    for (const mechanism of record.mechanisms) {
      if (COSTS_A_LOOKUP.has(mechanism.name)) this.#spend(domain);
      const match = await this.#matches(mechanism, domain);
      if (match !== null) return { ...match, result: RESULTS[mechanism.qualifier] };
    }
    if (record.redirectSpec === null) return { result: 'neutral', at: domain, byAll: false };
    return this.#redirected(domain, record.redirectSpec);
  }

  async #redirected(domain: string, spec: string): Promise<Decided> {
    this.#spend(domain);
    const target = this.#name(spec, domain);
    if (target === null) throw new Stopped('permerror', domain, 'no_record');
    const decided = await this.of(target);
    if (decided.result === 'none') throw new Stopped('permerror', target, 'no_record');
    return decided;
  }

  async #record(domain: string): Promise<SpfRecord | null> {
    const answer = await this.#ask.txt(domain);
    if (answer.kind === 'unavailable') throw new Stopped('temperror', domain, null);
    const [text, ...more] = (answer.kind === 'found' ? answer.records : []).filter(isSpfRecord);
    if (text === undefined) return null;
    if (more.length > 0) throw new Stopped('permerror', domain, 'several');
    const parsed = parseSpf(text);
    if (!parsed.ok) throw new Stopped('permerror', domain, 'malformed');
    return parsed.record;
  }

  async #matches(mechanism: Mechanism, domain: string): Promise<Omit<Decided, 'result'> | null> {
    const here = { at: domain, byAll: false };
    switch (mechanism.name) {
      case 'all':
        return { at: domain, byAll: true };
      case 'include':
        return this.#included(this.#name(mechanism.spec, domain), domain);
      case 'ip4':
      case 'ip6':
        return this.#within(mechanism.address ?? '', mechanism) ? here : null;
      case 'a':
        return (await this.#atName(this.#name(mechanism.spec, domain), mechanism, domain)) ? here : null;
      case 'mx':
        return (await this.#atMailHosts(this.#name(mechanism.spec, domain), mechanism, domain)) ? here : null;
      case 'exists':
        return (await this.#exists(this.#name(mechanism.spec, domain), domain)) ? here : null;
      case 'ptr':
        return (await this.#reversed(this.#name(mechanism.spec, domain))) ? here : null;
    }
  }

  async #included(target: string | null, domain: string): Promise<Omit<Decided, 'result'> | null> {
    if (target === null) throw new Stopped('permerror', domain, 'no_record');
    const { result, at, byAll } = await this.of(target);
    if (result === 'none') throw new Stopped('permerror', target, 'no_record');
    return result === 'pass' ? { at, byAll } : null;
  }

  async #atName(name: string | null, mechanism: Mechanism, domain: string): Promise<boolean> {
    const found = this.#orVoid(await this.#addresses(name), domain);
    return found.some((address) => this.#within(address, mechanism));
  }

  async #atMailHosts(name: string | null, mechanism: Mechanism, domain: string): Promise<boolean> {
    const hosts = this.#orVoid(name === null ? NOWHERE : await this.#ask.mx(name), domain);
    if (hosts.length > MAX_NAMES) throw new Stopped('permerror', domain, 'too_many_hosts');
    for (const { exchange } of hosts) {
      const answer = await this.#addresses(exchange);
      if (answer.kind === 'unavailable') throw new Stopped('temperror', domain, null);
      // The limit counts terms, so hosts without an address are free.
      const found = answer.kind === 'found' ? answer.records : [];
      if (found.some((address) => this.#within(address, mechanism))) return true;
    }
    return false;
  }

  /** Queries an A record regardless of the address's family. */
  async #exists(name: string | null, domain: string): Promise<boolean> {
    return this.#orVoid(name === null ? NOWHERE : await this.#ask.a(name), domain).length > 0;
  }

  /** Errors in reverse DNS do not invalidate the record; the term does not match. */
  async #reversed(target: string | null): Promise<boolean> {
    const { address } = this.#question;
    const answer = await this.#ask.ptr(address);
    if (answer.kind !== 'found' || target === null) return false;
    const names = answer.records
      .slice(0, MAX_NAMES)
      .filter((one) => one === target || one.endsWith(`.${target}`));
    for (const name of names) {
      const back = await (isIPv4(address) ? this.#ask.a(name) : this.#ask.aaaa(name));
      if (back.kind === 'found' && back.records.some((one) => covers(address, one, null))) return true;
    }
    return false;
  }

  async #addresses(name: string | null): Promise<Answer<string>> {
    if (name === null || name === '') return NOWHERE;
    return isIPv4(this.#question.address) ? this.#ask.a(name) : this.#ask.aaaa(name);
  }

  #orVoid<T>(answer: Answer<T>, domain: string): readonly T[] {
    if (answer.kind === 'found') return answer.records;
    if (answer.kind === 'unavailable') throw new Stopped('temperror', domain, null);
    this.#voids += 1;
    if (this.#voids > MAX_VOIDS) throw new Stopped('permerror', domain, 'too_many_voids');
    return [];
  }

  #within(network: string, { bits4, bits6 }: Mechanism): boolean {
    const { address } = this.#question;
    return covers(address, network, isIPv4(address) ? bits4 : bits6);
  }

  #name(spec: string | null, domain: string): string | null {
    return spec === null ? domain : expandSpec(spec, { ...this.#question, domain });
  }

  #spend(domain: string): void {
    this.lookups += 1;
    if (this.lookups > MAX_LOOKUPS) throw new Stopped('permerror', domain, 'too_many_lookups');
  }
}

const NOWHERE = { kind: 'nxdomain' } as const;

/** Addresses of different families never match. */
function covers(address: string, network: string, bits: number | null): boolean {
  const isV4 = isIPv4(address);
  if (isIPv4(network) !== isV4) return false;
  const list = new BlockList();
  list.addSubnet(network, bits ?? (isV4 ? 32 : 128), isV4 ? 'ipv4' : 'ipv6');
  return list.check(address, isV4 ? 'ipv4' : 'ipv6');
}

/**
 * Null when the result is no valid name. `%{p}` is deprecated and costs lookups; the RFC allows `unknown`
 * instead.
 */
export function expandSpec(spec: string, values: SpfQuestion): string | null {
  if (!spec.includes('%')) return canonicalName(spec);
  let isKnown = true;
  const text = spec.replace(
    MACRO,
    (whole, letter?: string, digits?: string, reverse?: string, delimiters?: string) => {
      if (letter === undefined) return LITERALS[whole] ?? '';
      const value = macroValue(letter.toLowerCase(), values);
      if (value === null || digits === '0') isKnown = false;
      const part = transform(value ?? '', Number(digits || 0), reverse !== '', delimiters || '.');
      return letter === letter.toLowerCase() ? part : encodeURIComponent(part);
    },
  );
  return isKnown && !text.includes('%') ? canonicalName(shortened(text)) : null;
}

const MACRO = /%(?:[%_-]|\{([a-z])(\d*)(r?)([.+,/_=-]*)\})/gi;
const LITERALS: Readonly<Record<string, string>> = { '%%': '%', '%_': ' ', '%-': '%20' };

function macroValue(letter: string, { address, domain, sender, helo }: SpfQuestion): string | null {
  switch (letter) {
    case 's':
      return sender;
    case 'l':
      return halvesOf(sender).local;
    case 'o':
      return halvesOf(sender).domain;
    case 'd':
      return domain;
    case 'i':
      return isIPv4(address) ? address : [...hexDigits(address)].join('.');
    case 'p':
      return 'unknown';
    case 'v':
      return isIPv4(address) ? 'in-addr' : 'ip6';
    case 'h':
      return helo;
    default:
      return null;
  }
}

function transform(value: string, keep: number, reverse: boolean, delimiters: string): string {
  const parts = value.split(new RegExp(`[${delimiters.replace(/[-/]/g, '\\$&')}]`));
  if (reverse) parts.reverse();
  return (keep === 0 ? parts : parts.slice(-keep)).join('.');
}

/** Removes labels from the left of a name that is too long. */
function shortened(name: string): string {
  const labels = name.split('.');
  while (labels.length > 1 && labels.join('.').length > 253) labels.shift();
  return labels.join('.');
}
