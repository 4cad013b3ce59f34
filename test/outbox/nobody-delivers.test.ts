/** How long it takes until somebody is told that mail is due and nobody delivers it: the sum of all that is waited for. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ATTENTION_EVERY_MS } from '../../dashboard/src/features/overview/freshness.ts';
import { LEASE_MS } from '../../src/outbox/lease.ts';
import { IDLE_WORKERS_MS, NO_WORKER_MS } from '../../src/stats/attention-items.ts';

const PROMISED_MS = 30_000;
/** What reading may take at most before it is given up. */
const ANSWER_MS = 5_000;

/** The first number behind a name, in a file for Prometheus. */
function secondsIn(file: string, pattern: RegExp): number {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return Number(pattern.exec(text)?.[1]) * 1_000;
}

describe('that nobody delivers is told within 30 seconds', () => {
  it('on the overview, when the last worker was killed and seems alive until its lease is over', () => {
    const noticedMs = Math.max(LEASE_MS, NO_WORKER_MS);
    expect(noticedMs + ATTENTION_EVERY_MS + ANSWER_MS).toBeLessThanOrEqual(PROMISED_MS);
  });

  it('on the overview, when workers run and take nothing', () => {
    expect(IDLE_WORKERS_MS + ATTENTION_EVERY_MS + ANSWER_MS).toBeLessThanOrEqual(PROMISED_MS);
  });

  it('by the alert, scraped and evaluated as documented', () => {
    const alert =
      /name: postrider-at-once\n\s+interval: (\d+)s\n\s+rules:\n\s+- alert: PostriderNobodyDelivers/;
    const evaluatedMs = secondsIn('ops/alerts.yaml', alert);
    const scrapedMs = secondsIn('docs/operate/monitoring.md', /scrape_interval: (\d+)s/);
    const dueMs = secondsIn('ops/alerts.yaml', /postrider_undelivered_seconds\) > (\d+)/);
    const noticedMs = Math.max(LEASE_MS, dueMs);
    expect(noticedMs + scrapedMs + evaluatedMs + ANSWER_MS).toBeLessThanOrEqual(PROMISED_MS);
  });
});
