/**
 * What became of deliveries, by the hour in which it happened, and by what they have in common: the recipient's provider,
 * the sender's domain, the template, a tag, the stream, the reason of what went wrong. The one writer of `delivery_counts`.
 *
 * Written in the transaction that records the outcomes, so it is exact, and last of all, behind the counters of emails: each
 * row stays locked from then to the commit. Hours that are over do not change; a chore removes them after KEPT_DAYS.
 */

import { type Sql, sql } from '../database/sql.ts';
import type { Tag } from '../emails/email.ts';
import { STREAM_TAG, streamOf, TRANSACTIONAL } from '../emails/stream.ts';
import { DAY_MS, HOUR_MS } from '../runtime/durations.ts';
import { type CountedNames, OTHERS } from './counted-names.ts';
import { KEPT_DAYS } from './hourly-counts.ts';
import { LATENCY_BUCKET_BOUNDS, latencyBucket } from './latency-buckets.ts';
import { deleteStreamCounts } from './stream-counts.ts';

export const DIMENSIONS = ['provider', 'domain', 'template', 'tag', 'stream', 'reason'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What a delivery is counted by. */
export interface DeliveryLabels {
  readonly site: { readonly name: string; readonly provider: string } | null;
  readonly fromDomain: string;
  readonly templateId: string | null;
  readonly tags: readonly Tag[] | null;
  /** When its mail was accepted, or scheduled for; null where it is not asked how long it took. */
  readonly sinceMs: number | null;
}

export interface CountedDelivery {
  readonly organizationId: string;
  readonly atMs: number;
  /** It was not tried before. */
  readonly isFirst: boolean;
  /** `complained`: of mail that was delivered before. */
  readonly outcome: 'delivered' | 'deferred' | 'bounced' | 'failed' | 'complained';
  readonly reason: string | null;
  /** Null where nobody knows them any more. */
  readonly labels: DeliveryLabels | null;
}

/** To a row that there is, as `c`. */
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

/** Counts stay: what was counted under these names is counted with the others. */
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

/** The hour in which each provider last told of a complaint, as long as that is kept. */
export async function lastComplaints(db: Sql, organizationId: string): Promise<Map<string, Date>> {
  return new Map((await db.many(selectComplaints, [organizationId])).map(({ name, hour }) => [name, hour]));
}

/** Forgets tags that only mail of somebody had who is to be forgotten. */
export async function deleteTagCounts(tx: Sql, organizationId: string, tags: readonly Tag[]): Promise<void> {
  if (tags.length === 0) return;
  const streams = tags.filter(({ name, value }) => name === STREAM_TAG && value !== TRANSACTIONAL);
  const names = streams.map(({ value }) => value);
  // In the order in which deliveries are counted.
  await deleteStreamCounts(tx, organizationId, names);
  await tx.exec(fold, [organizationId, 'tag', tags.map(tagName)]);
  if (names.length > 0) await tx.exec(fold, [organizationId, 'stream', names]);
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
  /** Empty until something took a time. */
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
      // A reason is why an attempt went wrong, whichever it was.
      if (isFirst && dimension !== 'reason') sum.sent += 1;
      sum[outcome] += 1;
      const since = labels?.sinceMs ?? null;
      if (outcome === 'delivered' && since !== null) note(sum.took, atMs - since);
    }
  }
  return [...sums.values()];
}

const NOTHING = { sent: 0, delivered: 0, deferred: 0, bounced: 0, failed: 0, complained: 0 };

/** Of a mail with more tags than this the first are counted. */
const MAX_TAGS = 10;

/** Every delivery has a provider, a domain and a stream, so that their sums are those of all mail. */
function* placesOf({ labels, outcome, reason }: CountedDelivery): Generator<[Dimension, string]> {
  yield ['provider', labels?.site ? providerOf(labels.site) : OTHERS];
  yield ['domain', labels?.fromDomain ?? OTHERS];
  if (labels?.templateId != null) yield ['template', labels.templateId];
  for (const tag of labels?.tags?.slice(0, MAX_TAGS) ?? []) yield ['tag', tagName(tag)];
  yield ['stream', labels ? withoutAddress(streamOf(labels.tags ?? [])) : OTHERS];
  if (reason !== null && outcome !== 'delivered') yield ['reason', reason];
}

function tagName({ name, value }: Tag): string {
  return withoutAddress(value) === OTHERS ? OTHERS : `${name}:${value}`;
}

/** What may be an address is not kept here: other mail may have the tag, and then an erasure leaves it. */
function withoutAddress(value: string): string {
  return value.includes('@') ? OTHERS : value;
}

/** A receiver that has no profile is known by its mail hosts. */
function providerOf({ name, provider }: { readonly name: string; readonly provider: string }): string {
  return provider === 'other' || provider === '' ? name : provider;
}

function note(took: number[], ms: number): void {
  while (took.length <= LATENCY_BUCKET_BOUNDS.length) took.push(0);
  const index = latencyBucket(ms);
  took[index] = (took[index] ?? 0) + 1;
}
