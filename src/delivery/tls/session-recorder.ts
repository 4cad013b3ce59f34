/** Records the counted TLS sessions, of domains that want reports only. */
import type { Database } from '../../database/database.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS } from '../../runtime/durations.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { lookUpReportDestinations } from './report-sender.ts';
import { addTlsSessions } from './report-store.ts';
import type { TlsSessionCounts } from './session-counts.ts';

interface SessionRecorderOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly counts: TlsSessionCounts;
}

/** Whether a domain wants reports rarely changes. */
const WANTS_MS = 6 * HOUR_MS;
const MAX_WANTS = 20_000;

/** Returns a function that writes the counts since its last call. */
export function createSessionRecorder(options: SessionRecorderOptions): () => Promise<void> {
  const { db, clock, resolver, counts } = options;
  const wants = new TtlCache<boolean>({ keepMs: WANTS_MS, max: MAX_WANTS, clock });
  const wantsReports = async (domain: string): Promise<boolean> => {
    const known = wants.get(domain);
    if (known !== undefined) return known;
    const found = await lookUpReportDestinations(resolver, domain);
    if (found !== 'unknown') wants.set(domain, found !== null);
    return found !== 'unknown' && found !== null;
  };
  return async () => {
    const counted = counts.take();
    const domains = [...new Set(counted.map(({ domain }) => domain))];
    const wanting = await Promise.all(
      domains.map(async (domain) => ((await wantsReports(domain)) ? domain : null)),
    );
    const wanted = new Set(wanting);
    await addTlsSessions(
      db,
      counted.filter(({ domain }) => wanted.has(domain)),
    );
  };
}
