/** The inbound process is killed after it said 250 and before it recorded what the report says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { freePort } from '../processes/supervised.ts';
import { startApi } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { sendLetter } from '../support/emails.ts';
import { INBOUND_HOST, returnPathTo } from '../support/inbound.ts';
import { deliveryReport, markDelivered, ReportSender } from '../support/reports.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

it('a report that was taken is recorded after the next start, exactly once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-inbound-'));
  const server = await startApi();
  const org = await server.createOrganization();
  const emailId = await sendLetter(server, org);
  await markDelivered(server.db, org.id, emailId);
  const port = await freePort();
  const role = new Role('inbound', {
    DATABASE_URL: server.database.url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_HOSTNAME: INBOUND_HOST,
    POSTRIDER_INBOUND_PORT: String(port),
    POSTRIDER_LOG_LEVEL: 'warn',
  });
  const sender = new ReportSender();
  const other = new pg.Client({ connectionString: server.database.url });
  await other.connect();
  try {
    role.start();
    await untilListening(port);
    // Somebody has the email in hand, so recording it has begun and cannot end.
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM emails WHERE id = $1 FOR UPDATE', [emailId]);
    const to = returnPathTo({ organizationId: org.id, emailId, position: 0 });
    expect(await sender.send(port, to, deliveryReport())).toMatchObject({ kind: 'accepted' });
    const blocked = adHoc<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'postrider-inbound' AND wait_event_type = 'Lock'`,
    );
    await expect.poll(async () => (await server.db.one(blocked)).count, { timeout: 30_000 }).toBe(1);
    await role.end('SIGKILL');
    await other.query('ROLLBACK');
    const waiting = adHoc<{ count: number }>('SELECT count(*) FROM inbound_messages');
    expect((await server.db.one(waiting)).count).toBe(1);
    role.start();
    await expect.poll(async () => (await server.db.one(waiting)).count, { timeout: 30_000 }).toBe(0);
    const { data } = (await server.api('GET', `/emails/${emailId}`, undefined, org.key)).body;
    expect(data.status).toBe('bounced');
    expect(data.events.filter(({ type }: { type: string }) => type === 'bounced')).toHaveLength(1);
    expect(await countsDiffer(server.db)).toEqual([]);
  } finally {
    await sender.stop();
    await other.end();
    await role.end('SIGTERM');
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function untilListening(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        new Promise((resolve) => {
          const socket = createConnection(port, '127.0.0.1');
          socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
          socket.once('connect', () => socket.destroy());
        }),
      { timeout: 30_000 },
    )
    .toBe(true);
}
