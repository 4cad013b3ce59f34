/**
 * Two real clusters, of which one follows the other, and an address that names both: what callers are told while the
 * standby is away, and how mail goes on when the primary is lost.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { embeddedCluster } from '../../src/database/embedded/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding, type TestDatabase } from '../support/database.ts';
import { letter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { followSynchronously, type Standby } from '../support/standby.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';

const COMMIT_WITHIN_MS = 1_000;
const log = createLog('test', 'silent');

let dataDir: string;
let primary: EmbeddedPostgres;
let standby: Standby;
/** On the primary alone. */
let onPrimary: Database;
/** On whichever takes writes, for looking: those of the others may all be waiting for a standby. */
let looking: Database;
let pools: Database[];
let server: TestApi;
let submission: TestSubmission;
let worker: TestWorker;
let org: TestOrganization;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-failover-'));
  await chmod(dataDir, 0o755);
  primary = await startPrimary();
  await migrate(primary.url);
  standby = await followSynchronously(primary.url, (await embeddedCluster(dataDir))?.clusterDir ?? '');
  const { username, password, pathname } = new URL(primary.url);
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
  onPrimary = new Database({ url: primary.url, log, applicationName: 'test', maxConnections: 2 });
  looking = new Database({ url, log, applicationName: 'test', maxConnections: 2 });
  pools = [onPrimary, looking];
  server = await startApi({ database: ownPool(url) });
  org = await server.createOrganization();
  submission = await startSubmission(ownPool(url));
  worker = await startMailWorker(ownPool(url));
}, 120_000);

beforeEach(() => standby.start());

afterAll(async () => {
  await worker?.stop();
  await submission?.stop();
  await server?.stop();
  for (const pool of pools ?? []) await pool.close();
  await standby?.stop();
  await primary?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function startPrimary(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined });
}

/** As every process has one. */
function ownPool(url: string): TestDatabase {
  const db = new Database({ url, log, applicationName: 'test', commitWithinMs: COMMIT_WITHIN_MS });
  pools.push(db);
  return { url, db, drop: () => db.close() };
}

async function stateOf(url: string): Promise<unknown> {
  const one = new Database({ url, log, applicationName: 'test', maxConnections: 1 });
  const ask = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS "readOnly"`;
  return one.one(adHoc(ask)).finally(() => one.close());
}

async function post(path: string, key: string, body: unknown) {
  const response = await fetch(`${server.url}/api/v1/emails/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, data: ((await response.json()) as { data?: Answered }).data };
}

interface Answered {
  readonly message_id: string;
  readonly results?: readonly { readonly message_id: string }[];
}

/** The ids of what was accepted; null where it is to be sent again. */
type Submit = (subject: string) => Promise<readonly string[] | null>;

async function send(subject: string) {
  const { status, data } = await post('send', subject, letter(org, { subject }));
  if (status !== 201) expect([409, 503]).toContain(status);
  return data === undefined ? null : [data.message_id];
}

async function sendBatch(subject: string) {
  const emails = ['ada', 'bob'].map((name) =>
    letter(org, { subject, to: [{ email: `${name}@example.org` }] }),
  );
  const { status, data } = await post('batch/mixed', subject, { emails, all_or_none: true });
  if (status >= 300) expect([409, 503]).toContain(status);
  return data?.results?.map(({ message_id }) => message_id) ?? null;
}

async function sendOverSmtp(subject: string) {
  const auth = { user: 'any', pass: org.key };
  const transport = createTransport({ host: '127.0.0.1', port: submission.port, auth, ignoreTLS: true });
  const from = `news@${org.domain}`;
  const raw = `From: ${from}\r\nTo: ada@example.org\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@app.test>\r\n\r\nHello`;
  try {
    const sent = await transport.sendMail({ envelope: { from, to: ['ada@example.org'] }, raw });
    return [idIn(sent.response)];
  } catch (error) {
    expect(error).toMatchObject({ responseCode: 451 });
    return null;
  } finally {
    transport.close();
  }
}

const SUBMISSIONS: readonly (readonly [string, Submit, number])[] = [
  ['one email', send, 1],
  ['a batch', sendBatch, 2],
  ['a message over SMTP', sendOverSmtp, 1],
];

/** What a client does that was not told how it ended. */
async function untilAccepted(submit: Submit, subject: string): Promise<readonly string[]> {
  const ids = await until(
    () => submit(subject),
    (found) => found !== null,
  );
  return ids ?? [];
}

async function stored(subject: string): Promise<number> {
  const count = adHoc<{ count: number }>('SELECT count(*) FROM emails WHERE subject = $1');
  return (await looking.one(count, [subject])).count;
}

async function deliveredOnce(id: string): Promise<void> {
  const read = () => server.api('GET', `/emails/${id}`, undefined, org.key);
  const { body } = await until(read, (answer) => answer.body.data?.status === 'delivered');
  expect(body.data.events.filter(({ type }: { type: string }) => type === 'delivered')).toHaveLength(1);
}

/** Who accepts mail there: others write as well, and wait for the same. */
const acceptingThatWaits = () =>
  until(() =>
    onPrimary.maybeOne<{ pid: number }>(
      adHoc(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'relation' AND query LIKE '%accept_new_emails%'`,
      ),
    ),
  );

const whenItWaitsForAStandby = (pid: number | undefined) =>
  until(() =>
    onPrimary.maybeOne(adHoc(`SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'`), [
      pid,
    ]),
  );

/** Right before its commit. */
async function loseTheStandbyDuring(submit: Submit, subject: string): Promise<void> {
  let sending: ReturnType<Submit> | undefined;
  let accepting: { readonly pid: number } | undefined;
  await holding(onPrimary, async (tx) => {
    await tx.exec(adHoc('LOCK TABLE email_counts IN EXCLUSIVE MODE'));
    sending = submit(subject);
    accepting = await acceptingThatWaits();
    await standby.stop();
    throw new Error('gives it back without a commit');
  }).catch(() => undefined);
  await whenItWaitsForAStandby(accepting?.pid);
  expect(await sending).toBeNull();
}

describe('an address with several hosts', { timeout: 120_000 }, () => {
  it('leads to the one that takes writes, though a standby is named first', async () => {
    expect(await looking.one(adHoc('SELECT pg_is_in_recovery() AS standby'))).toEqual({ standby: false });
    for (const id of await untilAccepted(send, 'first')) await deliveredOnce(id);
  });

  it.each(SUBMISSIONS)(
    'has %s refused for now that waits for a standby, and accepted once',
    async (name, submit, count) => {
      const subject = name.replaceAll(' ', '-');
      await loseTheStandbyDuring(submit, subject);
      expect(await submit(subject)).toBeNull();
      expect(await stored(subject)).toBe(0);
      await standby.start();
      const ids = await untilAccepted(submit, subject);
      expect(await stored(subject)).toBe(count);
      for (const id of ids) await deliveredOnce(id);
    },
  );

  it.each(SUBMISSIONS)(
    'tells nobody of %s that only a primary has which was started anew',
    async (name, submit, count) => {
      const subject = `${name.replaceAll(' ', '-')}-restart`;
      await loseTheStandbyDuring(submit, subject);
      primary.kill();
      primary = await startPrimary();
      await until(async () => (await stored(subject).catch(() => 0)) === count);
      expect(await submit(subject)).toBeNull();
      await standby.start();
      const ids = await untilAccepted(submit, subject);
      expect(await stored(subject)).toBe(count);
      // Whoever still delivers waits for the same lock as the next one's sender.
      for (const id of ids) await deliveredOnce(id);
    },
  );

  it('goes on with mail when the primary is killed, and does once what only that one had', async () => {
    const before = SUBMISSIONS.map(([name, submit, count]) => ({
      submit,
      count,
      subject: name.replaceAll(' ', '-'),
    }));
    const lost = before.map(({ submit, count, subject }) => ({ submit, count, subject: `${subject}-lost` }));
    await standby.stop();
    for (const { submit, subject } of lost) expect(await submit(subject)).toBeNull();
    primary.kill();
    await standby.start();
    await standby.promote();
    for (const { submit, subject, count } of [...lost, ...before]) {
      const ids = await untilAccepted(submit, subject);
      expect(await stored(subject)).toBe(count);
      for (const id of ids) await deliveredOnce(id);
    }
  });

  it('leads to the one that was promoted last, though the other is back and does not know', async () => {
    primary = await startPrimary();
    expect(await stateOf(primary.url)).toEqual({ standby: false, readOnly: 'off' });
    const another = new Database({ url: server.database.url, log, applicationName: 'test' });
    const port = adHoc<{ port: string }>("SELECT current_setting('port') AS port");
    expect(await another.one(port)).toEqual({ port: String(standby.port) });
    await another.close();
  });
});
