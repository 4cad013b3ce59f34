/**
 * Chooses the return path host of a domain's mail: our own host, or `bounces.` below the domain if its owner points
 * that to us. With the latter, the envelope sender is aligned with the From header, so SPF counts for DMARC as DKIM
 * does.
 *
 * Owns the last DNS result for each domain, evicting the least recently used first. Both records are required: with
 * only SPF, bounces would be lost; with only MX, SPF would fail. If the records are wrong or unavailable, only the
 * alignment is lost. Mail waits briefly for the first result; later the cached result is used while DNS is queried
 * again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupOptions, Resolver } from '../protocols/dns/resolver.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { delegatedHost } from './dns-records.ts';
import { evaluateSpf } from './spf.ts';

interface ReturnPathHostsOptions {
  readonly resolver: Pick<Resolver, 'mx' | 'txt'>;
  readonly clock: Clock;
  /** Our own host, the default destination of bounces. */
  readonly host: string;
}

interface Entry {
  /** Null before the first result. */
  host: string | null;
  asking: Promise<string> | null;
  untilMs: number;
}

/** The longest that mail waits for the first result. */
const WAIT_MS = 500;
const LOOKUP_MS = 10_000;
const KEEP_MS = 10 * MINUTE_MS;
const MAX_ENTRIES = 2_000;
const HOW: LookupOptions = { deadlineMs: LOOKUP_MS };

export class ReturnPathHosts {
  readonly #options: ReturnPathHostsOptions;
  readonly #entries = new BoundedMap<string, Entry>(MAX_ENTRIES);

  constructor(options: ReturnPathHostsOptions) {
    this.#options = options;
  }

  async find(domain: string): Promise<string> {
    const entry = this.#entryOf(domain);
    if (this.#options.clock.nowMs() >= entry.untilMs) entry.asking ??= this.#renew(entry, domain);
    if (entry.host !== null || entry.asking === null) return entry.host ?? this.#options.host;
    const timeout = new AbortController();
    const late = sleep(WAIT_MS, this.#options.host, { signal: timeout.signal, ref: false });
    const first = await Promise.race([entry.asking, late]);
    timeout.abort();
    return first;
  }

  #entryOf(domain: string): Entry {
    const entry = this.#entries.get(domain) ?? { host: null, asking: null, untilMs: 0 };
    this.#entries.set(domain, entry);
    return entry;
  }

  /** Never rejects: on failure returns our own host. */
  async #renew(entry: Entry, domain: string): Promise<string> {
    const host = await this.#ask(domain).catch(() => this.#options.host);
    entry.host = host;
    entry.untilMs = this.#options.clock.nowMs() + KEEP_MS;
    entry.asking = null;
    return host;
  }

  #ask(domain: string): Promise<string> {
    const { resolver, host } = this.#options;
    return lookUpReturnPathHost(resolver, domain, host, HOW);
  }
}

/** The current host according to DNS. */
export async function lookUpReturnPathHost(
  resolver: Pick<Resolver, 'mx' | 'txt'>,
  domain: string,
  host: string,
  how: LookupOptions,
): Promise<string> {
  const ours = host.toLowerCase();
  const name = delegatedHost(domain);
  const mx = await resolver.mx(name, how);
  if (mx.kind !== 'found' || !mx.records.every(({ exchange }) => exchange === ours)) return host;
  const spf = await evaluateSpf((asked) => resolver.txt(asked, how), name, ours);
  return spf.kind === 'pass' ? name : host;
}
