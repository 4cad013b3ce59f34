/** A client that did not hear our reply sends the message again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { freePort } from '../processes/supervised.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { idIn, startSubmission } from '../support/submission.ts';

const count = adHoc<{ count: number }>('SELECT count(*) AS count FROM emails');

function sendTo(port: number, { domain, key }: TestOrganization): Promise<{ readonly response: string }> {
  const transport = createTransport({ host: '127.0.0.1', port, auth: { user: 'x', pass: key } });
  return transport.sendMail({
    from: `a@${domain}`,
    to: 'b@example.org',
    subject: 'Once',
    text: 'x',
    messageId: '<killed@example.org>',
    date: new Date(0),
  });
}

/** Lets everything through but the reply to a message. */
async function deafen(port: number): Promise<Server> {
  const proxy = createServer((client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (chunk.includes('queued as')) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

it('after the message was stored: it gets the same id, and there is one email', async () => {
  const server = await startApi();
  const org = await server.createOrganization();
  const submission = await startSubmission(server.database);
  const proxy = await deafen(submission.port);
  const { port } = proxy.address() as { port: number };
  await expect(sendTo(port, org)).rejects.toThrow();
  const first = idIn((await sendTo(submission.port, org)).response);
  expect(idIn((await sendTo(submission.port, org)).response)).toBe(first);
  expect((await server.db.one(count)).count).toBe(1);
  proxy.close();
  await submission.stop();
  await server.stop();
});

it('after the server was killed in the middle: there is one email', async () => {
  const server = await startApi();
  const org = await server.createOrganization();
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-killed-'));
  const port = await freePort();
  const role = new Role('submission', {
    DATABASE_URL: server.database.url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_SUBMISSION_PORT: String(port),
    POSTRIDER_LOG_LEVEL: 'warn',
  });
  const other = new pg.Client({ connectionString: server.database.url });
  await other.connect();
  try {
    role.start();
    await untilListening(port);
    // What the database had been told it may still do: whoever sends again does not know, either.
    await killWhileStoring(server, other, role, () => sendTo(port, org));
    role.start();
    await untilListening(port);
    idIn((await sendTo(port, org)).response);
    expect((await server.db.one(count)).count).toBe(1);
  } finally {
    await other.end();
    await role.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
    await server.stop();
  }
});

/** Somebody holds the table, so storing has begun and cannot end. */
async function killWhileStoring(
  server: TestApi,
  other: pg.Client,
  role: Role,
  send: () => Promise<unknown>,
): Promise<void> {
  await other.query('BEGIN');
  await other.query('LOCK TABLE recipients IN EXCLUSIVE MODE');
  const sent = send().then(
    () => 'sent',
    () => 'failed',
  );
  const blocked = adHoc<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
     AND application_name = 'postrider-submission' AND wait_event_type = 'Lock'`,
  );
  await expect.poll(async () => (await server.db.one(blocked)).count).toBe(1);
  await role.end('SIGKILL');
  expect(await sent).toBe('failed');
  await other.query('ROLLBACK');
}

async function untilListening(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        new Promise<boolean>((resolve) => {
          const socket = connect(port, '127.0.0.1');
          socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
          socket.on('connect', () => socket.destroy());
        }),
    )
    .toBe(true);
}
