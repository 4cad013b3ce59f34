/**
 * Would receivers accept mail that our host sends for this domain? Walks the domain's SPF record as they do
 * (RFC 7208, section 4), except that nobody's address is compared: what counts is whether the record hands over
 * to our host, by `include` with a pass, or by `redirect`, directly or through others.
 */
import type { Answer } from '../../dns/answer.ts';
import { isSpfRecord, looksLikeSpf, type Mechanism, parseSpf, type SpfRecord } from './spf-record.ts';

export type LookUpTxt = (name: string) => Promise<Answer<string>>;

export type SpfVerdict =
  | { readonly kind: 'pass'; readonly record: string }
  | { readonly kind: 'missing'; readonly lookalikes: readonly string[] }
  | { readonly kind: 'several'; readonly records: readonly string[] }
  | { readonly kind: 'malformed'; readonly record: string; readonly term: string; readonly problem: string }
  /** Not there, or behind the `all` at which reading stops. */
  | { readonly kind: 'not_included'; readonly record: string; readonly hiddenBehind: string | null }
  /** It is there, and the sign in front of it says no. */
  | { readonly kind: 'refused'; readonly record: string; readonly at: string; readonly term: string }
  | { readonly kind: 'too_many_lookups'; readonly record: string }
  | {
      readonly kind: 'broken_include';
      readonly record: string;
      readonly at: string;
      readonly problem: 'missing' | 'several' | 'malformed' | 'loop';
    }
  | { readonly kind: 'unavailable'; readonly at: string; readonly code: string };

const MAX_LOOKUPS = 10;
const COSTS_A_LOOKUP: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists']);
/** What makes the host's own record authorise it; which addresses that are is its operator's business. */
const NAMES_OWN_ADDRESSES: ReadonlySet<string> = new Set(['a', 'mx', 'ip4', 'ip6']);

/** Both names in canonical form. */
export async function evaluateSpf(lookUp: LookUpTxt, domain: string, host: string): Promise<SpfVerdict> {
  const found = await fetchSpf(lookUp, domain);
  if (found.kind !== 'found') return found;
  const { text, record } = found;
  const walk = new Walk(lookUp, host);
  const result = await walk.through(domain, record, [domain]);
  switch (result.kind) {
    case 'authorised':
      return { kind: 'pass', record: text };
    case 'over':
      return whyNot(text, record, host, walk.refusedBy);
    case 'unavailable':
      return result;
    default:
      return { ...result, record: text };
  }
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
  /** Read to its end, or to the term that decides, and it is not a pass. */
  | { readonly kind: 'over' }
  | { readonly kind: 'too_many_lookups' }
  | {
      readonly kind: 'broken_include';
      readonly at: string;
      readonly problem: 'missing' | 'several' | 'malformed' | 'loop';
    }
  | { readonly kind: 'unavailable'; readonly at: string; readonly code: string };

/** One evaluation. It owns the count of lookups, which all records read on the way share. */
class Walk {
  readonly #lookUp: LookUpTxt;
  readonly #host: string;
  #lookups = 0;
  #refusedBy: Term | null = null;

  constructor(lookUp: LookUpTxt, host: string) {
    this.#lookUp = lookUp;
    this.#host = host;
  }

  /** The first term that led to us and said no. */
  get refusedBy(): Term | null {
    return this.#refusedBy;
  }

  async through(name: string, record: SpfRecord, path: readonly string[]): Promise<WalkResult> {
    for (const mechanism of record.mechanisms) {
      if (mechanism.name === 'all') return { kind: 'over' };
      if (COSTS_A_LOOKUP.has(mechanism.name) && !this.#spend()) return { kind: 'too_many_lookups' };
      const result = await this.#meet(name, mechanism, path);
      if (result !== null) return result;
    }
    if (record.redirect === null) return { kind: 'over' };
    if (!this.#spend()) return { kind: 'too_many_lookups' };
    return this.#handOver(record.redirect, path);
  }

  /** Null when it does not match us and reading goes on. */
  async #meet(at: string, mechanism: Mechanism, path: readonly string[]): Promise<WalkResult | null> {
    if (mechanism.name !== 'include') {
      const own = at === this.#host && NAMES_OWN_ADDRESSES.has(mechanism.name);
      return own && mechanism.qualifier === '+' ? { kind: 'authorised' } : null;
    }
    if (mechanism.domain === null) return null;
    const inner = await this.#handOver(mechanism.domain, path);
    if (inner.kind === 'over') return null;
    if (inner.kind !== 'authorised' || mechanism.qualifier === '+') return inner;
    this.#refusedBy ??= { at, text: mechanism.text };
    return { kind: 'over' };
  }

  async #handOver(target: string, path: readonly string[]): Promise<WalkResult> {
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

  /** Receivers read the host's record too, on the same allowance. Whether it is right is not the domain's fault. */
  async #reachHost(): Promise<WalkResult> {
    const own = await fetchSpf(this.#lookUp, this.#host);
    const costs = own.kind === 'found' ? own.record.mechanisms : [];
    for (const { name } of costs) {
      if (COSTS_A_LOOKUP.has(name) && !this.#spend()) return { kind: 'too_many_lookups' };
    }
    return { kind: 'authorised' };
  }

  #spend(): boolean {
    this.#lookups += 1;
    return this.#lookups <= MAX_LOOKUPS;
  }
}

type Fetched =
  | { readonly kind: 'found'; readonly text: string; readonly record: SpfRecord }
  | Extract<SpfVerdict, { kind: 'missing' | 'several' | 'malformed' | 'unavailable' }>;

/** The one SPF record of a name. */
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
