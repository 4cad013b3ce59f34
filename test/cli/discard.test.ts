/** `queue discard`: what was not sent yet ends as failed, and nothing that was sent is called so. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { Finished } from '../../src/delivery/attempt/delivery-record.ts';
import { claim } from '../../src/outbox/claim.ts';
import { Journal } from '../../src/outbox/journal.ts';
import { register } from '../../src/outbox/lease.ts';
import { priorityRank } from '../../src/outbox/states.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { machineId } from '../../src/runtime/machine.ts';
import { changeMode } from '../../src/supervisor/prepare-installation.ts';
import { address } from '../support/addresses.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newWorker } from '../support/outbox.ts';
import { seedMail } from '../support/seed-mail.ts';

let test: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  test = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-discard-'));
});
afterAll(async () => {
  await test.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const run = (argv: string[]) => runCommand(argv, { DATABASE_URL: test.url, POSTRIDER_DATA_DIR: dataDir });

/** How many emails of each organization stand where, and their last event. */
const states = () =>
  test.db.many(
    adHoc<{ org: string; status: string; last_event: string | null; count: number }>(
      `SELECT e.organization_id AS org, e.status, (SELECT v.type || ' ' || v.reason FROM events v
         WHERE v.organization_id = e.organization_id AND v.email_id = e.id ORDER BY v.id DESC LIMIT 1) AS last_event,
         count(*) FROM emails e GROUP BY 1, 2, 3 ORDER BY 1, 2`,
    ),
  );

it('asks first, then ends all mail of the mode as failed with an event, and a sandbox starts', async () => {
  const there = { domain: 'there.test' };
  await seedMail(test.db, { ...there, organizationId: 'org_due', count: 600 });
  await seedMail(test.db, { ...there, organizationId: 'org_late', count: 2, dueInMs: 3_600_000, attempt: 3 });
  await seedMail(test.db, { ...there, organizationId: 'org_sandbox', count: 4, mode: 'sandbox' });
  await expect(changeMode(test.db, 'sandbox', systemClock)).rejects.toThrow(
    'npx postrider queue discard --mode live',
  );
  const asked = await run(['queue', 'discard', '--mode', 'live']);
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toContain('Deliveries of live mail in the queue: 602.');
  expect((await run(['queue', 'discard', '--mode', 'both', '--yes'])).err).toContain('live or sandbox');

  const done = await run(['queue', 'discard', '--mode', 'live', '--yes']);
  expect(done).toEqual({ code: 0, err: '', out: 'Deliveries of live mail that were discarded: 602.' });
  expect(await states()).toEqual([
    { org: 'org_due', status: 'failed', last_event: 'rejected discarded', count: 600 },
    { org: 'org_late', status: 'failed', last_event: 'rejected discarded', count: 2 },
    { org: 'org_sandbox', status: 'queued', last_event: null, count: 4 },
  ]);
  expect(await changeMode(test.db, 'sandbox', systemClock)).toEqual([]);
});

it('leaves what a worker has in hand, and believes what a dead one wrote down', async () => {
  await seedMail(test.db, { organizationId: 'org_hands', domain: 'there.test', count: 3 });
  const hands = (epoch: number, room: number) => {
    const lane = {
      domain: 'there.test',
      organizationId: 'org_hands',
      priority: priorityRank('normal'),
      room,
    };
    return claim(test.db, { epoch, mode: 'live' }, [lane]);
  };
  const { pid } = spawnSync('true');
  const dead = await register(test.db, { host: 'here', machine: machineId(), pid });
  const [sent] = await hands(dead, 2);
  if (sent === undefined) throw new Error('nothing was claimed');
  const journal = new Journal<Finished>(dataDir, dead);
  const facts = {
    smtpCode: 250,
    enhancedCode: null,
    smtpMessage: 'ok',
    reason: null,
    mxHost: null,
    tls: null,
  };
  journal.append({
    kind: 'finished',
    delivery: sent,
    recipient: address('r@there.test').email,
    atMs: Date.now(),
    verdict: { kind: 'delivered', ...facts },
  });
  const living = await newWorker(test.db);
  await hands(living, 1);
  const done = await run(['queue', 'discard', '--mode', 'live', '--yes', '--json']);
  expect(done.code).toBe(1);
  expect(JSON.parse(done.out)).toEqual({ mode: 'live', discarded: 1, left: 1 });
  const ours = (await states()).filter(({ org }) => org === 'org_hands');
  expect(ours.map(({ status, count }) => [status, count])).toEqual([
    ['delivered', 1],
    ['failed', 1],
    ['queued', 1],
  ]);
});
