/** The maximum number of lookups of a record: for a sender that no term matches. */
import type { Answer } from './answer.ts';
import { COSTS_A_LOOKUP } from './spf-check-host.ts';
import { isSpfRecord, parseSpf, type SpfRecord } from './spf-record.ts';

type LookUpTxt = (name: string) => Promise<Answer<string>>;

interface SpfCost {
  readonly all: number;
  /** The cost without the includes of this name and their records. */
  readonly without: number;
}

/** Counting stops here, far above the limit. */
const ENOUGH = 30;

export async function spfCost(lookUp: LookUpTxt, record: SpfRecord, host: string): Promise<SpfCost> {
  const all = new Sum(lookUp, null);
  await all.add(record, 0);
  const without = new Sum(lookUp, host);
  await without.add(record, 0);
  return { all: all.total, without: without.total };
}

class Sum {
  readonly #lookUp: LookUpTxt;
  readonly #except: string | null;
  total = 0;

  constructor(lookUp: LookUpTxt, except: string | null) {
    this.#lookUp = lookUp;
    this.#except = except;
  }

  /** Terms after `all` are never evaluated. */
  async add(record: SpfRecord, depth: number): Promise<void> {
    for (const { name, domain } of record.mechanisms) {
      if (name === 'all' || this.total >= ENOUGH) return;
      if (!COSTS_A_LOOKUP.has(name)) continue;
      if (name === 'include' && domain !== null && domain === this.#except) continue;
      this.total += 1;
      if (name === 'include') await this.#follow(domain, depth);
    }
    if (record.redirectSpec === null || record.redirect === this.#except) return;
    this.total += 1;
    await this.#follow(record.redirect, depth);
  }

  /** Stops at a name with macros, or without a usable record. */
  async #follow(name: string | null, depth: number): Promise<void> {
    if (name === null || depth > ENOUGH) return;
    const answer = await this.#lookUp(name);
    const [text, ...more] = (answer.kind === 'found' ? answer.records : []).filter(isSpfRecord);
    if (text === undefined || more.length > 0) return;
    const parsed = parseSpf(text);
    if (parsed.ok) await this.add(parsed.record, depth + 1);
  }
}
