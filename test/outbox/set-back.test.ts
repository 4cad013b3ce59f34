/** The clock of the database was set back: what was meant as a pause must not last for as long again. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { enqueue } from '../../src/outbox/enqueue.ts';
import { afterSetBack } from '../../src/processes/after-set-back.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { domainName } from '../support/addresses.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

/** Whole minutes until each is due, by its table. */
async function minutesLeft(table: string, column: string, order: string): Promise<number[]> {
  const rows = await server.db.many(
    adHoc<{ minutes: number }>(
      `SELECT round(extract(epoch FROM ${column} - now()) / 60)::int AS minutes FROM ${table} ORDER BY ${order}`,
    ),
  );
  return rows.map(({ minutes }) => minutes);
}

const BLOCKED_UNTIL = `to_timestamp((block->>'untilMs')::float8 / 1000.0)`;

describe('after the database’s clock was set back by an hour', () => {
  it('mail that was due is due, tries come when they would have, and scheduled mail waits for its time', async () => {
    await sendLetter(server, org);
    await sendLetter(server, org);
    await sendLetter(server, org, { scheduled_at: new Date(Date.now() + HOUR_MS / 2).toISOString() });
    await server.db.exec(
      adHoc(`UPDATE outbox SET due_at = now() + interval '1 hour', attempt = 0
             WHERE email_id = (SELECT id FROM emails WHERE scheduled_at IS NULL ORDER BY id LIMIT 1)`),
    );
    await server.db.exec(
      adHoc(`UPDATE outbox SET due_at = now() + interval '63 minutes', attempt = 2
             WHERE email_id = (SELECT id FROM emails WHERE scheduled_at IS NULL ORDER BY id DESC LIMIT 1)`),
    );
    await afterSetBack(server.db, HOUR_MS);
    expect(await minutesLeft('outbox', 'due_at', 'email_id')).toEqual([0, 3, 30]);
  });

  it('webhooks, reports that came back and blocked sites wait no longer than they would have', async () => {
    await server.db.exec(
      adHoc(`INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, tries, due_at, created_at)
             SELECT 'whk_1', gen_random_uuid(), $1, 'delivered', n, now() + interval '61 minutes', now()
             FROM generate_series(0, 1) AS n`),
      [org.id],
    );
    await server.db.exec(
      adHoc(`INSERT INTO inbound_messages (id, received_at, mailbox, mail_from, remote_address, size, raw, tries, due_at)
             SELECT gen_random_uuid(), now(), 'fbl', '', '192.0.2.1', 1, 'x', n, now() + interval '61 minutes'
             FROM generate_series(0, 1) AS n`),
    );
    await server.db.exec(
      adHoc(`INSERT INTO sites (name, block) VALUES ('example.org',
               jsonb_build_object('untilMs', extract(epoch FROM now() + interval '65 minutes') * 1000))`),
    );
    await afterSetBack(server.db, HOUR_MS);
    expect(await minutesLeft('webhook_deliveries', 'due_at', 'tries')).toEqual([0, 1]);
    expect(await minutesLeft('inbound_messages', 'due_at', 'tries')).toEqual([0, 1]);
    expect(await minutesLeft('sites', BLOCKED_UNTIL, 'name')).toEqual([5]);
  });
});

it('mail for at once is due by the database’s clock, whatever the clock of the accepting process', async () => {
  const emailId = uuidv7(Date.now() + HOUR_MS);
  const domain = domainName('late.test');
  const about = { organizationId: org.id, emailId, position: 0, mode: 'live', domain } as const;
  await enqueue(server.db, [
    { ...about, priority: 1, dueAtMs: null, expiresAtMs: Date.now() + 25 * HOUR_MS, size: 1 },
  ]);
  const due = await server.db.one(
    adHoc<{ is: boolean }>(`SELECT due_at <= now() AS is FROM outbox WHERE domain = 'late.test'`),
  );
  expect(due.is).toBe(true);
});
