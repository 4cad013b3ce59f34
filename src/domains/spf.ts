/**
 * Decides whether receivers accept mail that our host sends for the domain. If the sending addresses are known, each
 * is evaluated as receivers do (protocols/dns/spf-check-host.ts). A static walk through the record explains a
 * failure, and decides when the addresses are unknown: the record must lead to our host, by `include` with a pass or
 * by `redirect`, directly or through others, and the host must have a usable record.
 */
import type { Answer } from '../protocols/dns/answer.ts';
import { COSTS_A_LOOKUP, checkHost, MAX_LOOKUPS, type SpfLookups } from '../protocols/dns/spf-check-host.ts';
import { spfCost } from '../protocols/dns/spf-cost.ts';
import {
  isSpfRecord,
  looksLikeSpf,
  type Mechanism,
  parseSpf,
  type SpfRecord,
} from '../protocols/dns/spf-record.ts';

export type LookUpTxt = (name: string) => Promise<Answer<string>>;

/** The sending addresses, and the lookups to evaluate them with. */
export interface Senders {
  readonly addresses: readonly string[];
  readonly lookups: Omit<SpfLookups, 'txt'>;
}

export type SpfVerdict =
  /** `crowded`: the lookups needed to evaluate a sender that is not listed, when above the limit of receivers. */
  | { readonly kind: 'pass'; readonly record: string; readonly crowded?: number }
  | { readonly kind: 'missing'; readonly lookalikes: readonly string[] }
  | { readonly kind: 'several'; readonly records: readonly string[] }
  | { readonly kind: 'malformed'; readonly record: string; readonly term: string; readonly problem: string }
  /** Our include is missing, or after an `all` that ends the evaluation. */
  | { readonly kind: 'not_included'; readonly record: string; readonly hiddenBehind: string | null }
  /** Our include is present, but its qualifier rejects. */
  | { readonly kind: 'refused'; readonly record: string; readonly at: string; readonly term: string }
  | { readonly kind: 'too_many_lookups' | 'too_many_voids'; readonly record: string }
  /** The record needs this many lookups with our host, and no more than the limit without. */
  | { readonly kind: 'crowded_by_host'; readonly record: string; readonly lookups: number }
  /** The record leads to our host, whose own record is unusable. */
  | {
      readonly kind: 'broken_host';
      readonly record: string;
      readonly problem: 'missing' | 'several' | 'malformed' | 'unusable';
      readonly found: readonly string[];
    }
  | {
      readonly kind: 'not_covered';
      readonly record: string;
      readonly address: string;
      readonly found: string;
    }
  | {
      readonly kind: 'broken_include';
      readonly record: string;
      readonly at: string;
      readonly problem: 'missing' | 'several' | 'malformed' | 'loop';
    }
  | { readonly kind: 'unavailable'; readonly at: string; readonly code: string };

/**
 * Mechanisms by which the host's own record authorises the host. The operator is responsible for the addresses in
 * them.
 */
const NAMES_OWN_ADDRESSES: ReadonlySet<string> = new Set(['a', 'mx', 'ip4', 'ip6']);

/** Both names must be in canonical form. */
export async function evaluateSpf(
  lookUp: LookUpTxt,
  domain: string,
  host: string,
  senders: Senders | null = null,
): Promise<SpfVerdict> {
  const found = await fetchSpf(lookUp, domain);
  if (found.kind !== 'found') return found;
  const question = { lookUp, domain, host, found };
  const verdict =
    senders === null || senders.addresses.length === 0
      ? await byWalking(question)
      : await byAddresses(question, senders);
  return verdict.kind === 'pass' ? failUnlessTooManyLookups(question) : verdict;
}

interface Question {
  readonly lookUp: LookUpTxt;
  readonly domain: string;
  readonly host: string;
  readonly found: Extract<Fetched, { kind: 'found' }>;
}

async function byWalking({ lookUp, domain, host, found: { text, record } }: Question): Promise<SpfVerdict> {
  const walk = new Walk(lookUp, host);
  const result = await walk.through(domain, record, [domain]);
  switch (result.kind) {
    case 'authorised':
      return (await brokenHost(lookUp, host, text)) ?? { kind: 'pass', record: text };
    case 'over':
      return whyNot(text, record, host, walk.refusedBy);
    case 'unavailable':
      return result;
    default:
      return { ...result, record: text };
  }
}

async function byAddresses(question: Question, { addresses, lookups }: Senders): Promise<SpfVerdict> {
  const { lookUp, domain, host, found } = question;
  const asking = { ...lookups, txt: lookUp };
  for (const address of addresses) {
    const about = { address, sender: `postmaster@${domain}`, helo: host };
    const checked = await checkHost(asking, { ...about, domain });
    if (checked.result === 'pass' && !checked.byAll) continue;
    if (checked.result === 'temperror') return { kind: 'unavailable', at: checked.at, code: 'ESERVFAIL' };
    const walked = await byWalking(question);
    if (walked.kind !== 'pass') return walked;
    // The domain's record leads to us, so the cause is our host's record or a limit that only real lookups reveal.
    const own = await checkHost(asking, { ...about, domain: host });
    const record = found.text;
    if (own.result === 'permerror') return { kind: 'broken_host', record, problem: 'unusable', found: [] };
    if (own.result !== 'pass' || own.byAll) return notCovered(lookUp, host, address, record);
    const problem = checked.problem === 'too_many_voids' ? 'too_many_voids' : 'too_many_lookups';
    return { kind: problem, record };
  }
  return { kind: 'pass', record: found.text };
}

async function notCovered(
  lookUp: LookUpTxt,
  host: string,
  address: string,
  record: string,
): Promise<SpfVerdict> {
  const own = await fetchSpf(lookUp, host);
  return { kind: 'not_covered', record, address, found: own.kind === 'found' ? own.text : '' };
}

/** Null when the host's record is usable. */
async function brokenHost(lookUp: LookUpTxt, host: string, record: string): Promise<SpfVerdict | null> {
  const own = await fetchSpf(lookUp, host);
  if (own.kind === 'found') return null;
  if (own.kind === 'unavailable') return own;
  const found =
    own.kind === 'several' ? own.records : own.kind === 'malformed' ? [own.record] : own.lookalikes;
  return { kind: 'broken_host', record, problem: own.kind, found };
}

/** Our mail passes. Receivers must still be able to evaluate the rest of the record, for other senders. */
async function failUnlessTooManyLookups({
  lookUp,
  host,
  found: { text, record },
}: Question): Promise<SpfVerdict> {
  const { all, without } = await spfCost(lookUp, record, host);
  if (all <= MAX_LOOKUPS) return { kind: 'pass', record: text };
  if (without <= MAX_LOOKUPS) return { kind: 'crowded_by_host', record: text, lookups: all };
  return { kind: 'pass', record: text, crowded: all };
}

function whyNot(text: string, record: SpfRecord, host: string, refusedBy: Term | null): SpfVerdict {
  if (refusedBy !== null) return { kind: 'refused', record: text, at: refusedBy.at, term: refusedBy.text };
  const all = record.mechanisms.findIndex((one) => one.name === 'all');
  const ours = record.mechanisms.findIndex((one) => one.name === 'include' && one.domain === host);
  const hidden = all >= 0 && ours > all ? (record.mechanisms[all]?.text ?? null) : null;
  return { kind: 'not_included', record: text, hiddenBehind: hidden };
}

interface Term {
  readonly at: string;
  readonly text: string;
}

type WalkResult =
  | { readonly kind: 'authorised' }
  /** Evaluated to the end, or to a deciding term, without a pass. */
  | { readonly kind: 'over' }
  | { readonly kind: 'too_many_lookups' }
  | {
      readonly kind: 'broken_include';
      readonly at: string;
      readonly problem: 'missing' | 'several' | 'malformed' | 'loop';
    }
  | { readonly kind: 'unavailable'; readonly at: string; readonly code: string };

/** One evaluation. Owns the count of lookups, which all visited records share. */
class Walk {
  readonly #lookUp: LookUpTxt;
  readonly #host: string;
  #lookups = 0;
  #refusedBy: Term | null = null;

  constructor(lookUp: LookUpTxt, host: string) {
    this.#lookUp = lookUp;
    this.#host = host;
  }

  /** The first term that led to us with a qualifier that rejects. */
  get refusedBy(): Term | null {
    return this.#refusedBy;
  }

  async through(name: string, record: SpfRecord, path: readonly string[]): Promise<WalkResult> {
    for (const mechanism of record.mechanisms) {
      if (mechanism.name === 'all') return { kind: 'over' };
      if (COSTS_A_LOOKUP.has(mechanism.name) && !this.#countLookup()) return { kind: 'too_many_lookups' };
      const result = await this.#judgeMechanism(name, mechanism, path);
      if (result !== null) return result;
    }
    if (record.redirect === null) return { kind: 'over' };
    if (!this.#countLookup()) return { kind: 'too_many_lookups' };
    return this.#follow(record.redirect, path);
  }

  /** Null when the mechanism does not match us and the evaluation continues. */
  async #judgeMechanism(
    at: string,
    mechanism: Mechanism,
    path: readonly string[],
  ): Promise<WalkResult | null> {
    if (mechanism.name !== 'include') {
      const own = at === this.#host && NAMES_OWN_ADDRESSES.has(mechanism.name);
      return own && mechanism.qualifier === '+' ? { kind: 'authorised' } : null;
    }
    if (mechanism.domain === null) return null;
    const inner = await this.#follow(mechanism.domain, path);
    if (inner.kind === 'over') return null;
    if (inner.kind !== 'authorised' || mechanism.qualifier === '+') return inner;
    this.#refusedBy ??= { at, text: mechanism.text };
    return { kind: 'over' };
  }

  async #follow(target: string, path: readonly string[]): Promise<WalkResult> {
    if (path.includes(target)) return { kind: 'broken_include', at: target, problem: 'loop' };
    if (target === this.#host) return this.#reachHost();
    const found = await fetchSpf(this.#lookUp, target);
    switch (found.kind) {
      case 'found':
        return this.through(target, found.record, [...path, target]);
      case 'unavailable':
        return found;
      default:
        return { kind: 'broken_include', at: target, problem: found.kind };
    }
  }

  /** Receivers read the host's record too, so its lookups count. Errors in it are not the domain's fault. */
  async #reachHost(): Promise<WalkResult> {
    const own = await fetchSpf(this.#lookUp, this.#host);
    const costs = own.kind === 'found' ? own.record.mechanisms : [];
    for (const { name } of costs) {
      if (COSTS_A_LOOKUP.has(name) && !this.#countLookup()) return { kind: 'too_many_lookups' };
    }
    return { kind: 'authorised' };
  }

  #countLookup(): boolean {
    this.#lookups += 1;
    return this.#lookups <= MAX_LOOKUPS;
  }
}

type Fetched =
  | { readonly kind: 'found'; readonly text: string; readonly record: SpfRecord }
  | Extract<SpfVerdict, { kind: 'missing' | 'several' | 'malformed' | 'unavailable' }>;

export async function fetchSpf(lookUp: LookUpTxt, name: string): Promise<Fetched> {
  const answer = await lookUp(name);
  if (answer.kind === 'unavailable') return { kind: 'unavailable', at: name, code: answer.code };
  const texts = answer.kind === 'found' ? answer.records : [];
  const records = texts.filter(isSpfRecord);
  const [text] = records;
  if (text === undefined) return { kind: 'missing', lookalikes: texts.filter(looksLikeSpf) };
  if (records.length > 1) return { kind: 'several', records };
  const parsed = parseSpf(text);
  if (!parsed.ok) return { kind: 'malformed', record: text, term: parsed.term, problem: parsed.problem };
  return { kind: 'found', text, record: parsed.record };
}
