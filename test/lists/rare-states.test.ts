/** The list of partly delivered emails, of which there are three, the oldest: PostgreSQL reads little else for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveEmailCounts } from '../../src/counters/email-counts.ts';
import { ensurePartitions } from '../../src/database/partitions.ts';
import { Reads } from '../../src/database/reads.ts';
import { adHoc } from '../../src/database/sql.ts';
import { EmailLists } from '../../src/emails/lists/email-lists.ts';
import { toFilter } from '../../src/emails/lists/list-schema.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countRowsRead } from '../support/rows-read.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const EMAILS = 20_000;
const DAYS = 20;
const PARTLY = 3;

let test: TestDatabase;
let delivering: string;
let bouncing: string;
beforeAll(async () => {
  test = await createTestDatabase();
  for (let day = 0; day < DAYS; day++) await ensurePartitions(test.db, START + day * DAY_MS, 0);
  delivering = await organizationWith('delivered');
  bouncing = await organizationWith('bounced');
  for (const table of ['emails', 'recipients']) await test.db.exec(adHoc(`ANALYZE ${table}`));
});
afterAll(() => test.drop());

const insert = adHoc(
  `WITH new AS MATERIALIZED (
     SELECT n, to_timestamp(ms / 1000.0) AS at, CASE WHEN n <= $6::int THEN 2 ELSE 1 END AS recipients,
            (lpad(to_hex(ms), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid AS id,
            CASE WHEN n <= $6::int THEN 'bounced' ELSE $5::text END AS status
     FROM (SELECT n, $2::bigint + n * $3::bigint AS ms FROM generate_series(1, $4::int) AS n) AS numbered
   ), email AS (
     INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses, mode, search)
     SELECT $1, id, status, 1, at, at, 'a@b.test', 'Hello',
            jsonb_build_object('cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'to', (
              SELECT jsonb_agg(jsonb_build_object('email', p || '@example.org')) FROM generate_series(1, recipients) AS p)),
            'live', '{}'
     FROM new
   )
   INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
   SELECT $1, id, p - 1, 'to', p || '@example.org', CASE WHEN p = 1 THEN status ELSE 'delivered' END, at
   FROM new CROSS JOIN LATERAL generate_series(1, recipients) AS p`,
);
const counts = adHoc<{ createdAtMs: number; status: 'bounced' | 'delivered'; by: number }>(
  `SELECT extract(epoch FROM date_trunc('day', created_at))::float8 * 1000 AS "createdAtMs", status, count(*)::int AS by
   FROM emails WHERE organization_id = $1 GROUP BY 1, 2`,
);

/** All emails besides the three have one recipient and this status. */
async function organizationWith(status: string): Promise<string> {
  const { id } = await createOrganization(test.db, systemClock, { name: status, dailyLimit: 0 });
  await test.db.exec(insert, [id, START, Math.floor((DAYS * DAY_MS) / (EMAILS + 1)), EMAILS, status, PARTLY]);
  const moves = await test.db.many(counts, [id]);
  await test.db.transaction((tx) =>
    moveEmailCounts(
      tx,
      moves.map((move) => ({ organizationId: id, stream: null, ...move })),
    ),
  );
  return id;
}

async function listed(organizationId: string) {
  const { sql, read } = countRowsRead(test.db);
  const reads: Reads = Object.assign(Object.create(new Reads(test.db)), { lately: () => sql });
  const page = { page: 1, limit: 20 };
  const filter = toFilter({ ...page, state: 'partly_delivered' });
  const { rows, total } = await new EmailLists(reads).page(organizationId, filter, page);
  expect([rows.length, total]).toEqual([PARTLY, PARTLY]);
  return read;
}

describe('partly delivered emails', () => {
  it('are found without reading the delivered ones', async () => {
    const read = await listed(delivering);
    // A day of few emails is read whole.
    expect(read.get('emails')).toBeLessThan(EMAILS / 10);
    expect(read.get('recipients')).toBeLessThan(100);
  });

  it('are found among bounced ones without reading the recipients of emails to one address', async () => {
    const read = await listed(bouncing);
    expect(read.get('recipients')).toBeLessThan(100);
  });
});
