/** Routes and several workers: shared limits, and a worker that dies while its mail takes the fallback. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { Role } from '../support/role.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { gate, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { Live } from './live.ts';

const ORG = newId('org');

let live: Live;
let relay: SmtpSink;
let spare: SmtpSink;
beforeEach(async () => {
  live = await Live.start({ sites: { shop: {} } });
  relay = await startSmtpSink({ address: '127.0.2.1' });
  spare = await startSmtpSink({ address: '127.0.2.2' });
});
afterEach(async () => {
  await live.stop();
  await relay.close();
  await spare.close();
});

const openAt = (sink: SmtpSink, from?: string) =>
  sink.connections.filter(
    (one) => one.ended === 'open' && !one.saidQuit && (from === undefined || one.from === from),
  ).length;

/** Waits until the first worker's idle connections are closed. By then it has read the second worker's start. */
async function startTwo(sink: SmtpSink): Promise<void> {
  await live.startWorker();
  await live.seed('shop', ORG, 1);
  await live.whenSent();
  await live.startWorker();
  await sink.waitForClosed(sink.connections.length);
}

it('two workers keep to the connections of a relay together', async () => {
  let most = 0;
  relay.script = {
    mail: () => {
      most = Math.max(most, openAt(relay));
      return { act: 'agree' };
    },
  };
  await setRoutes(live.db, {
    transports: [relayTo('relay', relay, { connections: 3 })],
    rules: [{ steps: inTurn('relay') }],
  });
  await startTwo(relay);
  await live.seed('shop', ORG, 200);
  await live.whenSent();
  expect(relay.messageCount).toBe(201);
  expect(most).toBeLessThanOrEqual(3);
});

it('two workers keep to the connections from one address together', async () => {
  let most = 0;
  live.sink('shop').script = {
    mail: () => {
      most = Math.max(most, openAt(live.sink('shop'), '127.0.0.7'));
      return { act: 'agree' };
    },
  };
  const sources = [{ address: '127.0.0.7', connections: 2 }];
  await setRoutes(live.db, {
    transports: [{ kind: 'direct', name: 'pool', sources }],
    rules: [{ steps: inTurn('pool') }],
  });
  await startTwo(live.sink('shop'));
  await live.seed('shop', ORG, 200);
  await live.whenSent();
  expect(live.sink('shop').messageCount).toBe(201);
  expect(most).toBeLessThanOrEqual(2);
});

it('mail whose worker is killed during the fallback is neither lost nor sent twice', async () => {
  const MAILS = 20;
  const held = gate();
  relay.script = { banner: '421 4.3.2 not now' };
  spare.script = { data: held.step };
  await setRoutes(live.db, {
    transports: [relayTo('relay', relay), relayTo('spare', spare)],
    rules: [{ steps: inTurn('relay', 'spare') }],
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-fallback-'));
  const doomed = new Role('worker', {
    ...liveEnv(live.dns, live.sink('shop').port),
    DATABASE_URL: live.database.url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_LOG_LEVEL: 'warn',
  });
  await live.seed('shop', ORG, MAILS);
  doomed.start();
  await held.reached;
  expect(relay.connections.length).toBeGreaterThan(0);
  await doomed.end('SIGKILL');
  held.release();
  spare.script = {};
  await live.startWorker();
  await live.whenSent();
  const sentTo = spare.messages.map(({ to }) => to[0]).toSorted();
  expect(sentTo).toHaveLength(MAILS);
  expect(new Set(sentTo).size).toBe(MAILS);
  expect(live.sink('shop').messageCount).toBe(0);
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);
