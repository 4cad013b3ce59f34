/** Completing requests costs the same however many are remembered: the plan is made when there are hardly any. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const REMEMBERED = 5_000;
/** PostgreSQL decides about a plan to keep after so many. */
const PLANNED_AFTER = 8;
/** Of one commit. */
const KEYS = 16;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.worker?.url ?? database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Requests {
  readonly keys: readonly string[];
  readonly runs: readonly (string | null)[];
}

const some = () => Array.from({ length: KEYS }, () => randomUUID());

async function begun(): Promise<Requests> {
  const [keys, runs] = [some(), some()];
  await client.query(
    `INSERT INTO idempotency_keys (organization_id, key, request_hash, run)
     SELECT 'org_a', key, '\\x00', run FROM unnest($1::text[], $2::uuid[]) AS new(key, run)`,
    [keys, runs],
  );
  return { keys, runs };
}

async function withoutReservation(): Promise<Requests> {
  return { keys: some(), runs: some().map(() => null) };
}

/** How many rows it read one by one. */
async function complete({ keys, runs }: Requests): Promise<number> {
  const every = <Value>(value: Value) => keys.map(() => value);
  await client.query('BEGIN');
  await client.query('SELECT complete_requests($1, $2, $3, $4, $5)', [
    every('org_a'),
    keys,
    runs,
    every(201),
    every('{"data":{}}'),
  ]);
  const { rows } = await client.query<{ read: string }>(
    `SELECT coalesce(sum(seq_tup_read), 0) AS read FROM pg_stat_xact_user_tables WHERE relname = 'idempotency_keys'`,
  );
  await client.query('COMMIT');
  return Number(rows[0]?.read);
}

it.each([
  ['were begun', begun],
  ['nobody began', withoutReservation],
])('requests that %s are found without reading others', async (_kind, requests) => {
  for (let n = 0; n < PLANNED_AFTER; n += 1) await complete(await requests());
  await client.query(
    `INSERT INTO idempotency_keys (organization_id, key, request_hash, run)
     SELECT 'org_a', gen_random_uuid()::text, '\\x00', gen_random_uuid() FROM generate_series(1, ${REMEMBERED})`,
  );
  expect(await complete(await requests())).toBe(0);
});
