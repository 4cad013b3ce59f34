/**
 * Fills a database with mail as after twelve weeks of use: several organizations, one of them with half of the mail; senders,
 * recipients, tags and subjects like those of shops and services; nearly all mail settled.
 *
 * Emails and their search tokens are made here, and all other rows are derived in SQL. Indexes are built afterwards, so that a
 * million emails take about a minute.
 */

import pg from 'pg';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { searchTokensOf } from '../../src/emails/lists/search-tokens.ts';
import type { EmailAddress } from '../../src/protocols/message/address.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { uuidv7Floor } from '../../src/runtime/ids.ts';
import type { Progress } from './bench.ts';
import { number } from './table.ts';

export const DAYS = 84;
const BATCH = 5_000;
/** Each organization's share of the emails. The first organization is measured. */
export const SHARES = [0.5, 0.2, 0.15, 0.1, 0.05] as const;
const DOMAINS = ['gmail.example', 'gmail.example', 'outlook.example', 'outlook.example', 'yahoo.example'];
/** Rows of the other lists, for each email. */
const SUPPRESSIONS_PER_EMAIL = 0.1;
const TEMPLATES_PER_EMAIL = 0.002;

export const organizationId = (index: number) => `org_bench0000000${index}`;
/** Keys of the measured organization: one sends nearly all mail, and a leaked key has sent 100 emails at any size. */
export const KEYS = { most: 'key_benchmost0000000000', leaked: 'key_benchleaked00000000' } as const;
/** The number of the nth email of the leaked key. */
export const leakedAt = (nth: number, size: number) => nth * Math.ceil(size / 100);
export const SENDERS = ['orders', 'billing', 'hello'].map((name) => `${name}@shop.example`);
export const customer = (n: number) =>
  `customer${n}@${n % 3 === 0 ? `company${n % 5_000}.example` : DOMAINS[n % 5]}`;
export const orderNumber = (n: number) => String(10_000_000 + ((n * 7_919) % 89_999_999));

const FIRST_NAMES = ['Jane', 'Omar', 'Mei', 'Lars', 'Ines', 'Kofi', 'Asha', 'Juan', 'Yuki', 'Emma'];
const SYLLABLES = ['ba', 'do', 'fi', 'gu', 'ke', 'lo', 'mi', 'nu', 'pe', 'ra'];
/** A first name that a tenth of the people share, and a unique last name. */
export const nameOf = (n: number) =>
  `${FIRST_NAMES[n % 10]} ${Array.from(String(1_000_000 + n), (digit) => SYLLABLES[Number(digit)]).join('')}`;
/** Contains no order number, so that a search for a number does not match parts of it. */
export const reference = (n: number) => `R-${n.toString(36).padStart(6, 'x')}`;

interface SeededEmail {
  readonly organizationId: string;
  readonly id: string;
  readonly n: number;
  readonly createdAtMs: number;
  readonly status: string;
  readonly from: { readonly email: EmailAddress };
  readonly addresses: {
    readonly to: readonly { readonly email: EmailAddress; readonly name: string }[];
    readonly cc: [];
    readonly bcc: [];
  };
  readonly subject: string;
  readonly tags: readonly { readonly name: string; readonly value: string }[] | null;
  readonly batchId: string | null;
  readonly metadata: { readonly ref: string } | null;
  readonly template: null;
  readonly keyId: string;
}

export async function seedEmails(
  db: Database,
  databaseUrl: string,
  count: number,
  nowMs: number,
  progress: Progress,
): Promise<void> {
  await db.exec(
    adHoc(
      "SELECT ensure_email_partitions(to_timestamp($1::float8 / 1000) - w * interval '7 days') FROM generate_series(0, 13) AS w",
    ),
    [nowMs],
  );
  await seedOrganizations(db);
  const indexes = await dropIndexes(db);
  let done = 0;
  for (const [index, share] of SHARES.entries()) {
    const size = Math.round(count * share);
    for (let from = 0; from < size; from += BATCH) {
      const emails = Array.from({ length: Math.min(BATCH, size - from) }, (_, i) =>
        emailAt(index, from + i, size, nowMs),
      );
      await insert(db, emails);
      done += emails.length;
      if (done % 100_000 === 0) progress(`${number(done)} emails`);
    }
  }
  progress('recipients, events, contents and counters');
  const slow = await connectWithoutLimits(databaseUrl);
  try {
    for (const text of FOLLOW_UP) await eachWeek(slow, text);
    await seedOthers(db, count);
    progress('indexes and statistics');
    for (const text of indexes) await slow.query(text);
    await vacuum(slow);
  } finally {
    await slow.end();
  }
}

/** Derives an email from its number, so that a bench can compute the expected results. */
export function emailAt(organization: number, n: number, size: number, nowMs: number): SeededEmail {
  const createdAtMs = Math.floor(nowMs - DAYS * DAY_MS + ((n + 0.5) / size) * DAYS * DAY_MS);
  const id = uuidAt(createdAtMs, organization * 1_000_000_000 + n);
  const receipt = n % 2 === 0;
  const whose = scatter(n) % Math.max(10, size);
  return {
    organizationId: organizationId(organization),
    id,
    n,
    createdAtMs,
    status: statusAt(n, size),
    from: { email: SENDERS[n % 10 < 6 ? 0 : n % 10 < 9 ? 1 : 2] as EmailAddress },
    addresses: {
      to: [{ email: customer(whose) as EmailAddress, name: nameOf(whose) }],
      cc: [],
      bcc: [],
    },
    subject: receipt
      ? `Your order ${orderNumber(n)} is on its way`
      : (SUBJECTS[n % SUBJECTS.length] as string),
    tags:
      n % 4 === 0
        ? [
            { name: 'kind', value: receipt ? 'receipt' : 'news' },
            { name: 'run', value: String(n % 100_000) },
          ]
        : null,
    batchId: n % 10 === 0 ? `batch_${Math.floor(n / 100)}` : null,
    metadata: receipt ? { ref: reference(n) } : null,
    template: null,
    keyId: n % Math.ceil(size / 100) === 0 ? KEYS.leaked : KEYS.most,
  };
}

const SUBJECTS = [
  'Reset your password',
  'Your weekly summary',
  'Confirm your address',
  'New sign-in to your account',
  'Invoice for last month',
];

/** The last fifty emails and ten scheduled emails still wait. Most other emails are delivered. */
function statusAt(n: number, size: number): string {
  if (n >= size - 50 || n % Math.ceil(size / 10) === 7) return 'queued';
  const roll = scatter(n) % 1_000;
  if (roll < 5) return 'failed';
  if (roll < 25) return 'bounced';
  return roll < 350 ? 'opened' : 'delivered';
}

/** A deterministic pseudo-random number. */
function scatter(n: number): number {
  return Math.imul(n + 1, 0x9e3779b1) >>> 8;
}

function uuidAt(ms: number, n: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const tail = n.toString(16).padStart(15, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail.slice(6)}000`;
}

async function insert(db: Database, emails: readonly SeededEmail[]): Promise<void> {
  await db.exec(adHoc(INSERT), [
    emails.map((email) => email.organizationId),
    emails.map((email) => email.id),
    emails.map((email) => email.status),
    emails.map((email) => email.createdAtMs),
    emails.map((email) => email.from.email),
    emails.map((email) => email.addresses.to[0]?.email),
    emails.map((email) => email.subject),
    emails.map((email) => (email.tags === null ? null : JSON.stringify(email.tags))),
    emails.map((email) => email.batchId),
    emails.map((email) => `{${searchTokensOf(email).join(',')}}`),
    emails.map((email) => email.addresses.to[0]?.name),
    emails.map((email) => (email.metadata === null ? null : JSON.stringify(email.metadata))),
    emails.map((email) => email.keyId),
  ]);
}

const INSERT = `INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, from_name,
    subject, addresses, tags, batch_id, search, metadata, api_key_id)
  SELECT o, i, s, 1, to_timestamp(at / 1000), to_timestamp(at / 1000), f, 'The Shop', subject,
         jsonb_build_object('to', jsonb_build_array(jsonb_build_object('email', r, 'name', name)),
                            'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', null),
         tags::jsonb, batch, search::int4[], metadata::jsonb, key
  FROM unnest($1::text[], $2::uuid[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::text[], $8::text[],
              $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
       AS new(o, i, s, at, f, r, subject, tags, batch, search, name, metadata, key)`;

const FOLLOW_UP = [
  `INSERT INTO recipients (organization_id, email_id, position, kind, address, state, attempts, updated_at)
   SELECT organization_id, id, 0, 'to', addresses->'to'->0->>'email', status, 1, updated_at
   FROM emails WHERE id >= $1 AND id < $2`,
  `INSERT INTO events (organization_id, email_id, id, type, position, created_at, recipient)
   SELECT e.organization_id, e.id, overlay(e.id::text PLACING to_char(t.n, 'FM000') FROM 34)::uuid, t.type, 0,
          e.created_at, e.addresses->'to'->0->>'email'
   FROM emails e, LATERAL (VALUES (1, 'queued'), (2, 'processing'), (3, e.status)) AS t(n, type)
   WHERE (e.status <> 'queued' OR t.n = 1) AND e.id >= $1 AND e.id < $2`,
  `INSERT INTO email_contents (organization_id, email_id, text)
   SELECT organization_id, id, 'Hello, this is about ' || subject FROM emails WHERE id >= $1 AND id < $2`,
  `INSERT INTO email_counts (organization_id, day, status, count)
   SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, status, count(*)
   FROM emails WHERE id >= $1 AND id < $2 GROUP BY 1, 2, 3`,
];

async function eachWeek(slow: pg.Client, text: string): Promise<void> {
  const weeks = await slow.query<{ start: Date }>(
    `SELECT to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS start
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'emails'::regclass`,
  );
  for (const { start } of weeks.rows) {
    const startMs = start.getTime();
    await slow.query(text, [uuidv7Floor(startMs), uuidv7Floor(startMs + 7 * DAY_MS)]);
  }
}

/** The pool limits how long a statement may take; an index of a million emails takes longer on a slow machine. */
async function connectWithoutLimits(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`SET maintenance_work_mem = '256MB'`);
  return client;
}

async function vacuum(slow: pg.Client): Promise<void> {
  const tables = await slow.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables.rows) await slow.query(`VACUUM (ANALYZE) ${name}`);
}

async function seedOrganizations(db: Database): Promise<void> {
  for (const index of SHARES.keys()) {
    await db.exec(adHoc('INSERT INTO organizations (id, name) VALUES ($1, $2)'), [
      organizationId(index),
      `Bench ${index}`,
    ]);
  }
  for (const id of Object.values(KEYS)) await db.exec(adHoc(API_KEY), [id, organizationId(0)]);
}

/** Suppressions and templates of the measured organization. */
async function seedOthers(db: Database, count: number): Promise<void> {
  await db.exec(adHoc(SUPPRESSIONS), [organizationId(0), Math.round(count * SUPPRESSIONS_PER_EMAIL)]);
  await db.exec(
    adHoc(`INSERT INTO suppression_counts (organization_id, reason, count)
           SELECT organization_id, reason, count(*) FROM suppressions GROUP BY 1, 2`),
  );
  await db.exec(adHoc(TEMPLATES), [organizationId(0), Math.round(count * TEMPLATES_PER_EMAIL)]);
  await db.exec(
    adHoc(`INSERT INTO template_versions (organization_id, template_id, version, subject, html, text, created_at)
           SELECT organization_id, id, version, subject, '<p>Hello {{name}}</p>', 'Hello {{name}}', created_at FROM templates`),
  );
}

const API_KEY = `INSERT INTO api_keys (id, organization_id, name, prefix, hash, scope, created_at)
  VALUES ($1::text, $2, $1, 'pr_bench', sha256(convert_to($1, 'UTF8')), 'full', now())`;

const SUPPRESSIONS = `INSERT INTO suppressions (organization_id, id, created_at, email, key, reason, source)
  SELECT $1, (lpad(to_hex(1700000000000 + i), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid, now(), email, email,
         (ARRAY['hard_bounce', 'complaint', 'unsubscribe', 'manual'])[1 + i % 4], 'automatic'
  FROM generate_series(1, $2::int) AS i, LATERAL (SELECT 'gone' || i || '@example' || i % 1000 || '.org' AS email) AS e`;

const TEMPLATES = `INSERT INTO templates (organization_id, id, name, subject, version, created_at, updated_at)
  SELECT $1, 'tmpl_' || lpad(i::text, 20, '0'), 'Template ' || i, 'Hello {{name}}, number ' || i, 1,
         now() - i * interval '1 minute', now()
  FROM generate_series(1, $2::int) AS i`;

/** Drops the indexes. Returns the statements that create them again. */
async function dropIndexes(db: Database): Promise<string[]> {
  const rows = await db.many(
    adHoc<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
       FROM pg_index WHERE indrelid IN ('emails'::regclass, 'recipients'::regclass) AND NOT indisprimary`,
    ),
  );
  for (const { name } of rows) await db.exec(adHoc(`DROP INDEX ${name}`));
  return rows.map(({ definition }) => definition);
}
