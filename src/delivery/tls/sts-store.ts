/**
 * The table `mta_sts_policies`. This module is its only writer. A worker reads a domain's row when it first sends mail to the
 * domain, and once an hour from then on. One statement reads many domains.
 */
import { type Sql, sql } from '../../database/sql.ts';
import type { KnownPolicy, PolicyStore } from '../../protocols/dns/mta-sts.ts';
import type { StsPolicy } from '../../protocols/dns/mta-sts-policy.ts';
import { Batcher } from '../../runtime/work-loop/batcher.ts';

interface PolicyRow {
  domain: string;
  policy_id: string;
  mode: StsPolicy['mode'];
  mx: string[];
  max_age_seconds: number;
  fetched_at: Date;
}

/** Updates `used_at` at most once a day. Skips rows that another worker has locked, because that worker updates them. */
const findPolicies = sql<PolicyRow>(
  'mta_sts_policies.find',
  `WITH used AS (
     UPDATE mta_sts_policies SET used_at = now() WHERE domain IN (
       SELECT domain FROM mta_sts_policies
       WHERE domain = ANY ($1::text[]) AND used_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED))
   SELECT domain, policy_id, mode, mx, max_age_seconds, fetched_at
   FROM mta_sts_policies WHERE domain = ANY ($1::text[])`,
  { home: 'control' },
);

const upsertPolicy = sql(
  'mta_sts_policies.upsert',
  `INSERT INTO mta_sts_policies AS known (domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at, refresh_at)
   SELECT $1, $2, $3, $4, $5::int, at, at + $5::int * interval '1 second',
          now() + least(interval '1 day', $5::int * interval '0.5 seconds')
   FROM to_timestamp($6::float8 / 1000.0) AS at
   ON CONFLICT (domain) DO UPDATE SET
     policy_id = excluded.policy_id, mode = excluded.mode, mx = excluded.mx, max_age_seconds = excluded.max_age_seconds,
     fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, refresh_at = excluded.refresh_at
   WHERE known.fetched_at <= excluded.fetched_at`,
  { home: 'control' },
);

/** Returns each policy to one worker. A policy whose fetch fails is due again after an hour. */
const takeDue = sql<{ domain: string }>(
  'mta_sts_policies.take_due',
  `UPDATE mta_sts_policies SET refresh_at = now() + interval '1 hour' WHERE domain IN (
     SELECT domain FROM mta_sts_policies
     WHERE refresh_at <= now() AND expires_at > now() AND used_at > now() - interval '30 days'
     ORDER BY refresh_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING domain`,
  { home: 'control' },
);

const removeExpired = sql(
  'mta_sts_policies.remove_expired',
  'DELETE FROM mta_sts_policies WHERE expires_at <= now()',
  { home: 'control' },
);

const removeBeyond = sql(
  'mta_sts_policies.remove_beyond',
  `DELETE FROM mta_sts_policies WHERE domain IN (
     SELECT domain FROM mta_sts_policies ORDER BY used_at DESC, domain OFFSET $1)`,
  { home: 'control' },
);

/** More hosts than a real mail system has. A policy with more hosts is not stored, and only cached by the worker that fetched it. */
const MAX_STORED_MX = 100;
/** A few times the number of domains with a policy that mail is sent to. */
const MAX_POLICIES = 100_000;
const MAX_BATCH = 500;

export function createPolicyStore(db: Sql): PolicyStore {
  const reading = new Batcher<string, KnownPolicy | null>({
    flush: async (domains) => {
      const rows = await db.many(findPolicies, [domains]);
      const found = new Map(rows.map((row) => [row.domain, knownPolicy(row)]));
      return domains.map((domain) => found.get(domain) ?? null);
    },
    maxBatchItems: MAX_BATCH,
    maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
  });
  return {
    find: (domain) => reading.add(domain),
    async save(domain, { id, policy: { mode, mx, maxAgeMs }, fetchedAtMs }) {
      if (mx.length > MAX_STORED_MX) return;
      await db.exec(upsertPolicy, [domain, id, mode, mx, maxAgeMs / 1000, fetchedAtMs]);
    },
    takeDue: async (limit) => (await db.many(takeDue, [limit])).map(({ domain }) => domain),
  };
}

/** A chore: deletes expired policies and, beyond `max` policies, those of domains that were sent no mail for the longest time. */
export async function deleteOldStsPolicies(db: Sql, max: number = MAX_POLICIES): Promise<void> {
  await db.exec(removeExpired);
  await db.exec(removeBeyond, [max]);
}

function knownPolicy(row: PolicyRow): KnownPolicy {
  const { policy_id: id, mode, mx, max_age_seconds, fetched_at } = row;
  return { id, policy: { mode, mx, maxAgeMs: max_age_seconds * 1000 }, fetchedAtMs: fetched_at.getTime() };
}
