/** A stop, a replacement of processes and the death of the supervisor, while receivers have messages that they have not answered for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { openClusterHome, urlFor } from '../../src/database/embedded/cluster-home.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { agree, type SinkMoment } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import {
  eventCounts,
  hasWaitedLong,
  queued,
  SLOW_DOMAINS,
  SlowReceivers,
  seedTo,
  workerOf,
} from './slow-receivers.ts';
import { isAlive } from './supervised.ts';

const SLOW = { timeout: 180_000 };
/** As many as a site gets at once at first. */
const MAILS_PER_SITE = 5;
const RECIPIENTS = SLOW_DOMAINS.flatMap((domain) =>
  Array.from({ length: MAILS_PER_SITE }, (_, i) => `r${i + 1}@${domain}`),
).toSorted();
const MAILS = RECIPIENTS.length;
/** Longer than any other time limit of a worker that is replaced, but for that of SMTP and the last one of the supervisor. */
const VERY_LONG_S = 30;

let database: TestDatabase;
let receivers: SlowReceivers;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await receivers.close();
  await database.drop();
});

const install = (env: Record<string, string> = {}) =>
  receivers.install({ DATABASE_URL: database.url, ...env });

/** Every message is past its final dot and unanswered. */
async function installAndHandOver(env: Record<string, string> = {}) {
  for (const domain of SLOW_DOMAINS) await seedTo(database.db, domain, MAILS_PER_SITE);
  const supervised = await install(env);
  await receivers.hasReceived(MAILS);
  return { supervised, worker: await workerOf(database.db, 'slow.test') };
}

/** A server that never answers the first MAIL, and agrees to all that follow. */
function silentAtFirst() {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const mail = ({ visit }: SinkMoment) => {
    reach();
    return visit === 1 ? new Promise<never>(() => undefined) : agree();
  };
  return { reached, script: { mail } };
}

describe('a planned stop', SLOW, () => {
  it('waits for receivers that have a message, and sends none of it again', async () => {
    receivers = await SlowReceivers.start();
    const { supervised, worker } = await installAndHandOver();
    supervised.child.kill('SIGTERM');
    await hasWaitedLong(database.db, worker);
    expect(supervised.output).toMatch(/Waiting for 40 receivers/);
    receivers.answer();
    expect(await supervised.exited()).toBe(0);
    expect(receivers.received.toSorted()).toEqual(RECIPIENTS);
    expect(await eventCounts(database.db)).toEqual({ delivered: MAILS });
  });

  it('keeps the embedded PostgreSQL running until the outcomes are recorded', async () => {
    receivers = await SlowReceivers.start();
    const first = await receivers.install({ DATABASE_URL: '' });
    const { password, port } = await openClusterHome(receivers.dataDir);
    const url = urlFor(password, port ?? 0);
    const open = () => new Database({ url, log: createLog('test', 'silent'), applicationName: 'test' });
    const db = open();
    await seedTo(db, 'slow.test', 1);
    await receivers.hasReceived(1);
    const worker = await workerOf(db, 'slow.test');
    first.child.kill('SIGTERM');
    await hasWaitedLong(db, worker);
    await db.close();
    receivers.answer();
    expect(await first.exited()).toBe(0);
    await receivers.install({ DATABASE_URL: '' });
    const after = open();
    expect(await eventCounts(after)).toEqual({ delivered: 1 });
    await after.close();
    expect(receivers.received).toEqual(['r1@slow.test']);
  });

  it('releases mail before its final dot at once, while it waits for the rest', async () => {
    const stuck = silentAtFirst();
    receivers = await SlowReceivers.start({ stuck: stuck.script });
    await seedTo(database.db, 'stuck.test', 1);
    await seedTo(database.db, 'slow.test', 1);
    const supervised = await install();
    await receivers.hasReceived(1);
    await stuck.reached;
    supervised.child.kill('SIGTERM');
    await until(
      () => queued(database.db, 'stuck.test'),
      ([mail]) => mail?.claimed === false,
    );
    expect(await queued(database.db, 'slow.test')).toEqual([{ claimed: true }]);
    receivers.answer();
    expect(await supervised.exited()).toBe(0);
    expect(await eventCounts(database.db)).toEqual({ delivered: 1 });
  });

  it('stops waiting at a second signal, and stops in order', async () => {
    receivers = await SlowReceivers.start();
    const { supervised, worker } = await installAndHandOver();
    supervised.child.kill('SIGTERM');
    await hasWaitedLong(database.db, worker);
    supervised.child.kill('SIGINT');
    expect(await supervised.exited()).toBe(0);
    expect(await eventCounts(database.db)).toEqual({ 'deferred reply_lost_after_message': MAILS });
    for (const domain of SLOW_DOMAINS)
      expect(await queued(database.db, domain)).toEqual(Array(MAILS_PER_SITE).fill({ claimed: false }));
  });

  it('waits no longer than POSTRIDER_STOP_TIMEOUT', async () => {
    receivers = await SlowReceivers.start();
    const { supervised } = await installAndHandOver({ POSTRIDER_STOP_TIMEOUT: '6' });
    supervised.child.kill('SIGTERM');
    expect(await supervised.exited()).toBe(0);
    expect(supervised.output).toMatch(/Waiting for 40 receivers .*up to 6 seconds/);
    expect(await eventCounts(database.db)).toEqual({ 'deferred reply_lost_after_message': MAILS });
  });
});

describe('a replacement of processes', SLOW, () => {
  it('lets the old worker wait for its receivers while the new one delivers', async () => {
    const stuck = silentAtFirst();
    receivers = await SlowReceivers.start({ stuck: stuck.script, quick: {} });
    await seedTo(database.db, 'stuck.test', 1);
    const { supervised, worker } = await installAndHandOver();
    await stuck.reached;
    supervised.child.kill('SIGHUP');
    await supervised.says(/Restarted\. This is Postrider/);
    await seedTo(database.db, 'quick.test', 1);
    await receivers.hasReceived(MAILS + 2);
    await hasWaitedLong(database.db, worker, VERY_LONG_S);
    receivers.answer();
    await until(async () => (await eventCounts(database.db)).delivered === MAILS + 2);
    await until(() => !isAlive(worker.pid));
    const others = ['r1@quick.test', 'r1@stuck.test'];
    expect(receivers.received.toSorted()).toEqual([...others, ...RECIPIENTS].toSorted());
    expect(await eventCounts(database.db)).toEqual({ delivered: MAILS + 2 });
  });
});

describe('a worker whose supervisor was killed', SLOW, () => {
  it('waits for its receivers, records their answers and ends', async () => {
    receivers = await SlowReceivers.start();
    const { supervised, worker } = await installAndHandOver();
    supervised.child.kill('SIGKILL');
    await supervised.exited();
    await hasWaitedLong(database.db, worker);
    receivers.answer();
    await until(() => !isAlive(worker.pid));
    expect(receivers.received.toSorted()).toEqual(RECIPIENTS);
    expect(await eventCounts(database.db)).toEqual({ delivered: MAILS });
  });
});
