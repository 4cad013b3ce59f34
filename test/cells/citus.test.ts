/**
 * A cell on Citus, in a schema that is kept on one of its nodes: every statement of a cell runs there as it is, and mail is accepted,
 * delivered, told of and removed. Runs where `POSTRIDER_TEST_CITUS_BIN` says where a PostgreSQL with Citus is.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/cells/routed-database.ts';
import type { Database } from '../../src/database/database.ts';
import { adHoc, type Statement } from '../../src/database/sql.ts';
import { applyRetention } from '../../src/operations/retention.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { CelledDatabase, dropControl, SECOND_CELL } from '../support/celled-database.ts';
import { CITUS_BIN, Citus, type CitusCell } from '../support/citus.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { letter, sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { onServer } from '../support/standby.ts';
import { allStatements } from '../support/statements.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Those of tables that every database has are of no cell. */
const isOfCell = (one: Statement<unknown>) =>
  homeOf(one) === 'cell' || /\b(?:INTO|FROM) cell_identity\b/.test(one.text);
const ofCells = (await allStatements()).filter(isOfCell);

const whyNot = CITUS_BIN === undefined ? ', skipped: POSTRIDER_TEST_CITUS_BIN names none' : '';

describe.skipIf(CITUS_BIN === undefined)(`a cell on Citus${whyNot}`, () => {
  let citus: Citus;
  let cell: CitusCell;
  let control: TestDatabase;
  let server: TestApi;
  let worker: TestWorker;
  let receiver: WebhookReceiver;
  let org: TestOrganization;

  beforeAll(async () => {
    [citus, control, receiver] = await Promise.all([
      Citus.start(CITUS_BIN ?? ''),
      createTestDatabase(),
      startWebhookReceiver(),
    ]);
    cell = await citus.createCell('cell_1');
    await dropControl(cell.db);
    const db = new CelledDatabase(control.db, cell.db);
    const served = db.cells.find(({ name }) => name === SECOND_CELL)?.db as Database;
    const database = { ...control, db, worker: { url: cell.url, db: served } };
    server = await startApi({ database });
    org = await server.createOrganization();
    worker = await startMailWorker(database, { POSTRIDER_SANDBOX_SPEED: '60' });
  });
  afterAll(async () => {
    await worker?.stop();
    await server?.stop();
    await receiver?.close();
    await citus?.stop();
    await control?.drop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape and check what they find
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await server.api(method, path, body, org.key);
    if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }
  const send = (to: string, changes: object = {}) =>
    sendLetter(server, org, { to: [{ email: to }], ...changes });
  const ending = (id: string, status: string) =>
    until(
      () => call('GET', `/emails/${id}`),
      (email) => email.status === status,
    );

  it('takes every statement of a cell as it is', async () => {
    expect(ofCells.length).toBeGreaterThan(400);
    const refused: string[] = [];
    await onServer(cell.url, async (client) => {
      for (const statement of ofCells) {
        const problem = await tried(client, statement);
        if (problem !== null) refused.push(`${statement.name}: ${problem}`);
      }
    });
    expect(refused).toEqual([]);
  }, 300_000);

  it('is on one of the workers, whole', async () => {
    const shards = adHoc<{ nodes: number }>(
      'SELECT count(DISTINCT nodeport)::int AS nodes FROM citus_shards',
    );
    expect((await cell.db.one(shards)).nodes).toBe(1);
  });

  it('accepts mail, delivers it, and tells webhooks', async () => {
    await call('POST', '/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` });
    const id = await send('ada@example.org', { tags: [{ name: 'kind', value: 'receipt' }] });
    const email = await ending(id, 'delivered');
    expect(email.events.map(({ type }: { type: string }) => type)).toContain('delivered');
    const isTold = ({ body }: { body: { type: string; data: { email_id: string } } }) =>
      body.type === 'email.delivered' && body.data.email_id === id;
    await receiver.waitFor(1, isTold);
  });

  it('accepts once what is sent again under its key', async () => {
    const ask = () =>
      fetch(`${server.url}/api/v1/emails/send`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${org.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body: JSON.stringify(letter(org)),
      });
    const first = await ask();
    expect(first.status).toBe(201);
    expect(await (await ask()).json()).toEqual(await first.json());
  });

  it('says what bounced, and refuses mail to whom is on the suppression list', async () => {
    await ending(await send('bounced@simulator.test'), 'bounced');
    await call('POST', '/suppressions', { email: 'gone@example.org', reason: 'manual' });
    const mail = letter(org, { to: [{ email: 'gone@example.org' }] });
    const { status, body } = await server.api('POST', '/emails/send', mail, org.key);
    expect([status, body.error?.code]).toEqual([400, 'RECIPIENTS_SUPPRESSED']);
  });

  it('tries again what was deferred', async () => {
    const email = await ending(await send('greylisted+speed-3600@simulator.test'), 'delivered');
    expect(email.events.map(({ type }: { type: string }) => type)).toContain('deferred');
  });

  it('holds mail, and lets it go', async () => {
    const hold = await call('POST', '/holds', { scope: 'organization', reason: 'a test' });
    const id = await send('held@example.org');
    await until(
      () => call('GET', `/holds/${hold.id}`),
      ({ mail }) => mail.held === 1,
    );
    await call('POST', `/holds/${hold.id}/release`);
    await ending(id, 'delivered');
  });

  it('takes batches with files, and cancels what is scheduled', async () => {
    const template = await call('POST', '/templates', { name: 'T', subject: 'S', text: 'Hi {{name}}' });
    const recipients = ['a', 'b', 'c'].map((name) => ({
      to: { email: `${name}@example.org` },
      data: { name },
    }));
    const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=' }];
    const from = { email: `news@${org.domain}` };
    await call('POST', '/emails/batch', { template_id: template.id, from, recipients, attachments });
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const id = await send('later@example.org', { scheduled_at: later });
    await call('POST', `/emails/${id}/cancel`);
    await until(
      () => call('GET', '/emails?status=queued'),
      (queued) => queued.length === 0,
    );
  });

  it('refuses a second template with one alias in words, as elsewhere', async () => {
    const template = { name: 'T', alias: 'receipt', subject: 'S', text: 'x' };
    await call('POST', '/templates', template);
    const { status, body } = await server.api('POST', '/templates', template, org.key);
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('goes on where its schema is moved to another worker', async () => {
    await citus.move('cell_1');
    await ending(await send('moved@example.org'), 'delivered');
  });

  it('removes what was kept long enough', async () => {
    const clock = { nowMs: () => Date.now() + 400 * DAY_MS };
    const log = createLog('test', 'silent');
    await applyRetention({ db: cell.db, clock, log }, new AbortController().signal);
    const left = adHoc<{ count: number }>('SELECT count(*) FROM emails WHERE organization_id = $1');
    expect((await cell.db.one(left, [org.id])).count).toBe(0);
  });
});

/** Values of each type, which statements may refuse for what they are. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: `'${uuidv7(Date.now())}'`,
  'double precision': '1800000000000',
  boolean: 'true',
  date: `'2026-11-17'`,
  jsonb: `'{}'`,
  json: `'{}'`,
  bytea: `'\\x00'`,
  interval: `'1 day'`,
  inet: `'127.0.0.1'`,
  'timestamp with time zone': 'now()',
};
/** What a text may have to look like. */
const TEXTS = [`'a'`, `'{1}'`, `'127.0.0.1'`] as const;

/** Why Citus does not run it; null where it does, if only to find that such a row cannot be. */
async function tried(client: pg.Client, { text }: Statement<unknown>): Promise<string | null> {
  for (const word of TEXTS) {
    const error = await failureOf(client, text, word);
    if (error !== null && !isAboutValues(error)) return `${error.code} ${error.message}`;
    if (error?.code !== '22P02') break;
  }
  return null;
}

type Failure = Error & { readonly code?: string };

/** In a transaction that is undone. */
async function failureOf(client: pg.Client, text: string, word: string): Promise<Failure | null> {
  await client.query('BEGIN');
  try {
    await client.query(`PREPARE tried AS ${text}`);
    const { rows } = await client.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'tried'`,
    );
    const values = rows[0]?.types.map((type) => literalOf(type, word)) ?? [];
    await client.query(`EXECUTE tried${values.length > 0 ? `(${values.join(', ')})` : ''}`);
    return null;
  } catch (error) {
    return error as Failure;
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}

function literalOf(type: string, word: string): string {
  const one = type.replace('[]', '');
  const value = VALUES[one] ?? (one === 'text' ? word : '1');
  return type === one ? `${value}::${type}` : `ARRAY[${value}]::${type}`;
}

/** A value that is refused was looked at; what Citus copies into a table fails as something internal. */
function isAboutValues({ code = '', message }: Failure): boolean {
  return /^(?:22|23|PR)/.test(code) || / violates |^no partition of relation /.test(message);
}
