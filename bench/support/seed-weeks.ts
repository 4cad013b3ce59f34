/** Inserts several weeks of one organization's mail with its events by SQL, within seconds. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { built } from './built.ts';

const WEEKS = 5;

const SEED = [
  `INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses)
   SELECT $1, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i || 'x'), 1, 15))::uuid,
          'delivered', 1, at, at, 'a@mover.test', 'Your order ' || i,
          jsonb_build_object('to', jsonb_build_array(jsonb_build_object('email', 'r' || i || '@x.test', 'name', null)), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', null)
   FROM (SELECT i, now() - (i::float8 / $2) * interval '${WEEKS * 7 - 7} days' - interval '1 hour' AS at FROM generate_series(1, $2::int) AS i) AS made`,
  `INSERT INTO recipients (organization_id, email_id, position, kind, address, state, attempts, updated_at)
   SELECT organization_id, id, 0, 'to', addresses->'to'->0->>'email', status, 1, updated_at FROM emails WHERE organization_id = $1`,
  `INSERT INTO events (organization_id, email_id, id, type, position, created_at, recipient)
   SELECT e.organization_id, e.id, gen_random_uuid(), t.type, 0, e.created_at, e.addresses->'to'->0->>'email'
   FROM emails e, LATERAL (VALUES ('queued'), ('processing'), ('delivered'), ('opened')) AS t(type) WHERE e.organization_id = $1`,
  `INSERT INTO email_contents (organization_id, email_id, html, text)
   SELECT organization_id, id, repeat('<p>' || md5(id::text) || '</p>', 60), repeat(md5(id::text), 20) FROM emails WHERE organization_id = $1`,
];

export async function seedWeeks(db: Database, organizationId: string, emails: number): Promise<void> {
  const { ensurePartitions } =
    await built<typeof import('../../src/database/partitions.ts')>('database/partitions');
  for (let week = 1; week <= WEEKS; week += 1) await ensurePartitions(db, Date.now() - week * 7 * DAY_MS, 0);
  for (const [index, text] of SEED.entries())
    await db.transaction(async (tx) => {
      await tx.exec(adHoc('SET LOCAL statement_timeout = 0'));
      await tx.exec(adHoc(text), index === 0 ? [organizationId, emails] : [organizationId]);
    });
}
