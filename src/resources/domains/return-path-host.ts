/**
 * Where the bounces of a domain's mail come back to: our own host, or `bounces.` below the domain, where its owner lets
 * that lead to us. Then the envelope sender and the From header are of one domain, and SPF counts for DMARC as DKIM does.
 *
 * It owns what DNS said last about each domain, for KEEP_MS, least recently asked out first. Both records are needed: with
 * the SPF record alone bounces would be lost, with the MX alone SPF would fail where ours passes. What is wrong or cannot
 * be asked costs nothing but the alignment; mail never waits for it longer than LOOKUP_MS a time.
 */
import type { LookupOptions, Resolver } from '../../dns/resolver.ts';
import type { Clock } from '../../runtime/clock.ts';
import { delegatedHost } from './dns-records.ts';
import { evaluateSpf } from './spf.ts';

export interface ReturnPathHostsOptions {
  readonly resolver: Pick<Resolver, 'mx' | 'txt'>;
  readonly clock: Clock;
  /** Our own, where all other bounces come to. */
  readonly host: string;
}

interface Entry {
  readonly host: Promise<string>;
  readonly untilMs: number;
}

const LOOKUP_MS = 2_000;
const KEEP_MS = 10 * 60_000;
const MAX_ENTRIES = 2_000;
const HOW: LookupOptions = { deadlineMs: LOOKUP_MS };

export class ReturnPathHosts {
  readonly #options: ReturnPathHostsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: ReturnPathHostsOptions) {
    this.#options = options;
  }

  find(domain: string): Promise<string> {
    const nowMs = this.#options.clock.nowMs();
    const known = this.#entries.get(domain);
    this.#entries.delete(domain);
    const entry =
      known && nowMs < known.untilMs ? known : { host: this.#ask(domain), untilMs: nowMs + KEEP_MS };
    this.#entries.set(domain, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value as string);
    return entry.host;
  }

  async #ask(domain: string): Promise<string> {
    const { resolver, host } = this.#options;
    const ours = host.toLowerCase();
    const name = delegatedHost(domain);
    const mx = await resolver.mx(name, HOW);
    if (mx.kind !== 'found' || !mx.records.every(({ exchange }) => exchange === ours)) return host;
    const spf = await evaluateSpf((asked) => resolver.txt(asked, HOW), name, ours);
    return spf.kind === 'pass' ? name : host;
  }
}
