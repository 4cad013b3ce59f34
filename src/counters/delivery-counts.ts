/**
 * Outcomes of deliveries by the hour of the outcome and by dimension: the recipient's provider, the sender's domain,
 * the template, a tag, the stream, the reason of a failure. The one writer of `delivery_counts`.
 *
 * Written in the transaction that records the outcomes, so the counts are exact. Written last, after the counters of
 * emails, because each row stays locked until the commit. Past hours do not change; a chore removes them after
 * KEPT_DAYS.
 */

import { type Sql, sql } from '../database/sql.ts';
import type { Tag } from '../emails/email.ts';
import { STREAM_TAG, TRANSACTIONAL } from '../emails/stream.ts';
import { DAY_MS, HOUR_MS } from '../runtime/durations.ts';
import { type CountedNames, OTHERS } from './counted-names.ts';
import { KEPT_DAYS } from './hourly-counts.ts';
import { LATENCY_BUCKET_BOUNDS, latencyBucket } from './latency-buckets.ts';
import { deleteStreamCounts } from './stream-counts.ts';

export const DIMENSIONS = ['provider', 'domain', 'template', 'tag', 'stream', 'reason'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface DeliveryLabels {
  readonly site: { readonly name: string; readonly provider: string } | null;
  readonly fromDomain: string;
  readonly templateId: string | null;
  readonly tags: readonly Tag[] | null;
  /** Null means `transactional`. */
  readonly stream: string | null;
  /** When the mail was accepted, or its scheduled time; null when the latency is not counted. */
  readonly sinceMs: number | null;
}

export interface CountedDelivery {
  readonly organizationId: string;
  readonly atMs: number;
  readonly isFirst: boolean;
  /** `complained` is about mail that was delivered before. */
  readonly outcome: 'delivered' | 'deferred' | 'bounced' | 'failed' | 'complained';
  readonly reason: string | null;
  /** Null when the labels are no longer known. */
  readonly labels: DeliveryLabels | null;
}

/** Adds to an existing row, as `c`. */
const ADDED = `ON CONFLICT (organization_id, dimension, hour, name) DO UPDATE SET
     sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
     deferred = c.deferred + excluded.deferred, bounced = c.bounced + excluded.bounced,
     failed = c.failed + excluded.failed, complained = c.complained + excluded.complained,
     took = add_counts(c.took, excluded.took)`;

const add = sql(
  'delivery_counts.add',
  `INSERT INTO delivery_counts AS c
     (organization_id, dimension, hour, name, sent, delivered, deferred, bounced, failed, complained, took)
   SELECT o, d, h, n, sent, delivered, deferred, bounced, failed, complained, took::int[]
   FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[],
               $10::int[], $11::text[])
        AS new(o, d, h, n, sent, delivered, deferred, bounced, failed, complained, took)
   ORDER BY o, d, h, n
   ${ADDED}`,
  { home: 'cell', organization: '$1' },
);

/** Keeps the counts: those of the removed names are added to OTHERS. */
const fold = sql(
  'delivery_counts.fold',
  `WITH gone AS (
     DELETE FROM delivery_counts WHERE organization_id = $1 AND dimension = $2 AND name = ANY ($3::text[]) RETURNING *
   ), took AS (
     SELECT hour, array_agg(sum ORDER BY place) AS took
     FROM (SELECT hour, place, sum(count)::int AS sum
           FROM gone, unnest(took) WITH ORDINALITY AS class(count, place) GROUP BY hour, place) AS classes
     GROUP BY hour
   )
   INSERT INTO delivery_counts AS c
     (organization_id, dimension, hour, name, sent, delivered, deferred, bounced, failed, complained, took)
   SELECT $1, $2, hour, '', sum(sent), sum(delivered), sum(deferred), sum(bounced), sum(failed), sum(complained),
          coalesce((SELECT t.took FROM took t WHERE t.hour = gone.hour), '{}')
   FROM gone GROUP BY hour ORDER BY hour
   ${ADDED}`,
  { home: 'cell', organization: '$1' },
);

const selectComplaints = sql<{ name: string; hour: Date }>(
  'delivery_counts.last_complaints',
  `SELECT name, max(hour) AS hour FROM delivery_counts
   WHERE organization_id = $1 AND dimension = 'provider' AND complained > 0 GROUP BY name`,
  { home: 'cell', organization: '$1' },
);

const removeOld = sql('delivery_counts.remove_old', 'DELETE FROM delivery_counts WHERE hour < $1', {
  home: 'cell',
});

export async function countDeliveries(
  tx: Sql,
  deliveries: readonly CountedDelivery[],
  names: CountedNames,
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = sumUp(deliveries, names);
  await tx.exec(add, [
    rows.map((row) => row.organizationId),
    rows.map((row) => row.dimension),
    rows.map((row) => new Date(row.hour * HOUR_MS).toISOString()),
    rows.map((row) => row.name),
    rows.map((row) => row.sent),
    rows.map((row) => row.delivered),
    rows.map((row) => row.deferred),
    rows.map((row) => row.bounced),
    rows.map((row) => row.failed),
    rows.map((row) => row.complained),
    rows.map((row) => `{${row.took.join(',')}}`),
  ]);
}

/** The hour of each provider's last complaint, within the retention. */
export async function lastComplaints(db: Sql, organizationId: string): Promise<Map<string, Date>> {
  return new Map((await db.many(selectComplaints, [organizationId])).map(({ name, hour }) => [name, hour]));
}

/** Removes the names of tags and streams that only erased mail had. */
export async function deleteNamedCounts(
  tx: Sql,
  organizationId: string,
  { tags, streams }: { readonly tags: readonly Tag[]; readonly streams: readonly string[] },
): Promise<void> {
  // In the same order as deliveries are counted.
  await deleteStreamCounts(tx, organizationId, streams);
  // Streams that were stored as tags were counted as tags, too.
  const names = [...tags, ...streams.map((value) => ({ name: STREAM_TAG, value }))].map(tagName);
  if (names.length > 0) await tx.exec(fold, [organizationId, 'tag', names]);
  if (streams.length > 0) await tx.exec(fold, [organizationId, 'stream', streams]);
}

export async function removeOldDeliveryCounts(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeOld, [new Date(nowMs - KEPT_DAYS * DAY_MS)]);
}

interface Sum {
  readonly organizationId: string;
  readonly dimension: Dimension;
  readonly hour: number;
  readonly name: string;
  sent: number;
  delivered: number;
  deferred: number;
  bounced: number;
  failed: number;
  complained: number;
  /** Empty until a latency is counted. */
  readonly took: number[];
}

function sumUp(deliveries: readonly CountedDelivery[], names: CountedNames): Sum[] {
  const sums = new Map<string, Sum>();
  for (const delivery of deliveries) {
    const { organizationId, atMs, isFirst, outcome, labels } = delivery;
    const hour = Math.floor(atMs / HOUR_MS);
    for (const [dimension, wanted] of placesOf(delivery)) {
      const name = wanted === OTHERS ? OTHERS : names.named(hour, `${organizationId} ${dimension}`, wanted);
      const key = `${organizationId} ${dimension} ${hour} ${name}`;
      let sum = sums.get(key);
      if (sum === undefined) {
        sum = { organizationId, dimension, hour, name, took: [], ...NOTHING };
        sums.set(key, sum);
      }
      // A reason belongs to an attempt, so the first attempt of the delivery does not matter.
      if (isFirst && dimension !== 'reason') sum.sent += 1;
      sum[outcome] += 1;
      const since = labels?.sinceMs ?? null;
      if (outcome === 'delivered' && since !== null) note(sum.took, atMs - since);
    }
  }
  return [...sums.values()];
}

export const NOTHING = { sent: 0, delivered: 0, deferred: 0, bounced: 0, failed: 0, complained: 0 };

/** Further tags of a mail are not counted. */
const MAX_TAGS = 10;

/** Every delivery has a provider, a domain and a stream, so the sums of each equal all mail. */
function* placesOf({ labels, outcome, reason }: CountedDelivery): Generator<[Dimension, string]> {
  yield ['provider', labels?.site ? providerOf(labels.site) : OTHERS];
  yield ['domain', labels?.fromDomain ?? OTHERS];
  if (labels?.templateId != null) yield ['template', labels.templateId];
  for (const tag of labels?.tags?.slice(0, MAX_TAGS) ?? []) yield ['tag', tagName(tag)];
  yield ['stream', labels ? withoutAddress(labels.stream ?? TRANSACTIONAL) : OTHERS];
  if (reason !== null && outcome !== 'delivered') yield ['reason', reason];
}

function tagName({ name, value }: Tag): string {
  return withoutAddress(value) === OTHERS ? OTHERS : `${name}:${value}`;
}

/** A tag that may be an address is not stored: an erasure could miss it, because other mail may have the same tag. */
function withoutAddress(value: string): string {
  return value.includes('@') ? OTHERS : value;
}

/** A receiver without a profile is named by its mail hosts. */
function providerOf({ name, provider }: { readonly name: string; readonly provider: string }): string {
  return provider === 'other' || provider === '' ? name : provider;
}

function note(took: number[], ms: number): void {
  while (took.length <= LATENCY_BUCKET_BOUNDS.length) took.push(0);
  const index = latencyBucket(ms);
  took[index] = (took[index] ?? 0) + 1;
}
