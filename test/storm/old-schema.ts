/** An installation as an earlier version left it: its schema, with mail that is settled and mail that is still queued. */
import pg from 'pg';
import type { Database } from '../../src/database/database.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { readMigrations } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { DESTINATIONS, textOf, tokenOf } from './mail.ts';

/** What is written here fits all schemas between these two. */
export const OLDEST = 11;
export const NEWEST = 18;
/** Beyond what the storm's own sender counts to. */
const FIRST_NUMBER = 1_000_000;

export interface OldMail {
  readonly number: number;
  readonly id: string;
  readonly address: string;
  readonly token: string;
}

export interface OldInstallation {
  readonly version: number;
  /** Not delivered yet. */
  readonly queued: readonly OldMail[];
  /** Of everything that must be there afterwards as it is now. */
  readonly fingerprint: string;
}

export interface OldContents {
  readonly version: number;
  readonly settled: number;
  readonly queued: number;
}

export async function makeOldInstallation(dataDir: string, contents: OldContents): Promise<OldInstallation> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const queued = await fillOldSchema(client, contents);
  const { rows } = await client.query<{ fingerprint: string }>(FINGERPRINT);
  await client.end();
  await postgres.stop();
  return { version: contents.version, queued, fingerprint: rows[0]?.fingerprint ?? '' };
}

/** Makes the schema of that version in an empty database, and mail in it; gives what is queued. */
export async function fillOldSchema(
  client: pg.Client,
  { version, settled, queued }: OldContents,
): Promise<OldMail[]> {
  await applyFirst(client, version);
  const old = Array.from({ length: settled }, (_, i) => mail(i, 'bounce'));
  const waiting = Array.from({ length: queued }, (_, i) => mail(settled + i, 'user'));
  await insert(client, old, waiting);
  return waiting;
}

/** What an email says, and to whom: nothing that happens to it later changes that. */
export const FINGERPRINT = `
  SELECT md5(string_agg(mail, ',' ORDER BY mail)) AS fingerprint FROM (
    SELECT concat_ws('|', e.id, e.created_at, e.from_email, e.subject, e.addresses, c.text, r.kind, r.address) AS mail
    FROM emails e
    JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
    JOIN recipients r ON r.organization_id = e.organization_id AND r.email_id = e.id
    WHERE e.from_email LIKE '%@old.test') AS mails`;

export async function fingerprintOf(db: Database): Promise<string> {
  return (await db.one(adHoc<{ fingerprint: string }>(FINGERPRINT))).fingerprint;
}

async function applyFirst(client: pg.Client, version: number): Promise<void> {
  await client.query(`CREATE TABLE schema_migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  for (const migration of readMigrations().slice(0, version)) {
    await client.query(migration.text);
    await client.query('INSERT INTO schema_migrations VALUES ($1, $2)', [migration.version, migration.name]);
  }
}

function mail(index: number, part: 'bounce' | 'user'): OldMail {
  const number = FIRST_NUMBER + index;
  const address = `${part}.${number}.0@d${number % DESTINATIONS}.storm.test`;
  return { number, id: uuidv7(Date.now()), address, token: tokenOf('plain', number, 0) };
}

async function insert(client: pg.Client, settled: readonly OldMail[], queued: readonly OldMail[]) {
  const organization = newId('org');
  await client.query(`INSERT INTO organizations (id, name) VALUES ($1, 'Old')`, [organization]);
  await client.query(
    `INSERT INTO domains (id, organization_id, domain, spf_verified, dkim_verified, verified_at, verified_in, next_check_at)
     VALUES ($1, $2, 'old.test', true, true, now(), 'live', NULL)`,
    [newId('dom'), organization],
  );
  for (const [state, mails] of [
    ['bounced', settled],
    ['queued', queued],
  ] as const)
    await client.query(INSERT_MAIL, [
      organization,
      state,
      mails.map(({ id }) => id),
      mails.map(({ token }) => `Storm ${token}`),
      mails.map(({ token }) => textOf(token)),
      mails.map(({ address }) => address),
      mails.map(() => uuidv7(Date.now())),
    ]);
  await client.query(COUNT_MAIL, [organization]);
}

const INSERT_MAIL = `
  WITH new AS MATERIALIZED (
    SELECT * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[]) AS t(id, subject, text, address, event)
  ), email AS (
    INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses)
    SELECT $1, id, $2, 1, now(), now(), 'storm@old.test', subject,
           jsonb_build_object('to', jsonb_build_array(jsonb_build_object('email', address, 'name', null)),
                              'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', null)
    FROM new
  ), content AS (
    INSERT INTO email_contents (organization_id, email_id, text) SELECT $1, id, text FROM new
  ), recipient AS (
    INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
    SELECT $1, id, 0, 'to', address, $2, now() FROM new
  ), event AS (
    INSERT INTO events (organization_id, email_id, id, type, position, created_at, recipient)
    SELECT $1, id, event, $2, 0, now(), address FROM new
  )
  INSERT INTO outbox (organization_id, email_id, position, domain, priority, due_at, expires_at, size)
  SELECT $1, id, 0, split_part(address, '@', 2), 1, now(), now() + interval '1 day', length(text)
  FROM new WHERE $2 = 'queued'`;

const COUNT_MAIL = `
  WITH counted AS (
    INSERT INTO email_counts (organization_id, day, status, count)
    SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, status, count(*) FROM emails
    WHERE organization_id = $1 GROUP BY 1, 2, 3
  )
  INSERT INTO daily_usage (organization_id, day, recipients)
  SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM emails
  WHERE organization_id = $1 GROUP BY 1, 2`;
