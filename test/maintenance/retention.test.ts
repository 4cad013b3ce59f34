import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import { applyRetention } from '../../src/operations/retention.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { sendLetter, storedRows } from '../support/emails.ts';

/** A Wednesday; its week begins on Monday, 2 March 2026. */
const ACCEPTED = Date.parse('2026-03-04T12:00:00Z');
const WEEK_END = Date.parse('2026-03-09T00:00:00Z');
const TABLES = [
  'attempts',
  'email_attachments',
  'email_contents',
  'emails',
  'events',
  'moved_contents',
  'recipients',
];

const clock = { ms: ACCEPTED, nowMs: () => clock.ms };
let server: TestApi;
beforeAll(async () => {
  server = await startApi({ clock });
});
afterAll(() => server.stop());

const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=' }];

async function sendOn(
  org: TestOrganization,
  ms: number,
  changes: Record<string, unknown> = {},
): Promise<string> {
  clock.ms = ms;
  return sendLetter(server, org, { attachments, ...changes });
}

async function settle(org: TestOrganization, emailId: string): Promise<void> {
  const outcome = { organizationId: org.id, emailId, position: 0, attempts: 1, atMs: clock.ms };
  await server.db.transaction(async (tx) => {
    await applyOutcomes(tx, [{ ...outcome, state: 'delivered' }], clock.ms);
    await tx.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [emailId]);
  });
}

/** What a worker leaves behind besides. */
async function recordAttempt(org: TestOrganization, emailId: string): Promise<void> {
  await server.db.exec(
    adHoc(`INSERT INTO attempts (organization_id, email_id, id, position, attempt, duration_ms, created_at, outcome)
           VALUES ($1, $2, gen_random_uuid(), 0, 1, 10, now(), 'delivered')`),
    [org.id, emailId],
  );
}

async function deliver(org: TestOrganization, ms: number): Promise<string> {
  const id = await sendOn(org, ms);
  await settle(org, id);
  await recordAttempt(org, id);
  return id;
}

async function runAt(ms: number, signal = new AbortController().signal): Promise<void> {
  clock.ms = ms;
  await applyRetention({ db: server.db, clock, log: createLog('test', 'silent') }, signal);
}

const get = (org: TestOrganization, path: string) => server.api('GET', path, undefined, org.key);
const keep = (org: TestOrganization, settings: Record<string, number>) =>
  server.api('PUT', '/settings/retention', settings, org.key);

async function weekTables(): Promise<string[]> {
  const rows = await server.db.many(
    adHoc<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE '%\\_p20260302'`,
    ),
  );
  return rows.map(({ name }) => name).sort();
}

async function idsIn(org: TestOrganization): Promise<string[]> {
  const { body } = await get(org, '/emails?limit=100');
  expect(body.pagination.total_count).toBe(body.data.length);
  return body.data.map((one: { id: string }) => one.id).sort();
}

it('knows every table that mail is kept in by the week', async () => {
  const rows = await server.db.many(
    adHoc<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'p' ORDER BY relname`),
  );
  expect(rows.map(({ name }) => name)).toEqual([...TABLES].sort());
});

describe('when nobody wants anything else than the defaults', () => {
  let org: TestOrganization;
  let email: string;
  beforeAll(async () => {
    org = await server.createOrganization();
    email = await deliver(org, ACCEPTED);
  });

  it('everything is there until the 30th day after the week ended', async () => {
    await runAt(WEEK_END + 30 * DAY_MS - 1);
    expect((await get(org, `/emails/${email}/content`)).status).toBe(200);
  });

  it('content and attachments go then, and the answer says why', async () => {
    await runAt(WEEK_END + 30 * DAY_MS);
    const answer = await get(org, `/emails/${email}/content`);
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe('NOT_FOUND');
    expect(answer.body.error.message).toContain('retention');
    expect(await storedRows(server.db)).toMatchObject({ email_contents: 0, email_attachments: 0 });
  });

  it('the email and its events stay', async () => {
    const { status, body } = await get(org, `/emails/${email}`);
    expect(status).toBe(200);
    expect(body.data.events).toHaveLength(1);
    expect(await idsIn(org)).toEqual([email]);
  });

  it('nothing more goes before the 90th day', async () => {
    await runAt(WEEK_END + 90 * DAY_MS - 1);
    expect(await idsIn(org)).toEqual([email]);
    expect(await weekTables()).toEqual(TABLES.map((table) => `${table}_p20260302`).sort());
  });

  it('then the whole week is dropped', async () => {
    await runAt(WEEK_END + 90 * DAY_MS);
    expect(await weekTables()).toEqual([]);
    expect(await idsIn(org)).toEqual([]);
    const answer = await get(org, `/emails/${email}/content`);
    expect(answer.status).toBe(404);
    expect(answer.body.error.message).not.toContain('retention');
  });

  it('the counters keep what was sent, and know that it is gone', async () => {
    const counted = adHoc<{ count: number; removed: number }>(
      `SELECT sum(count)::bigint AS count, sum(removed)::bigint AS removed FROM email_counts WHERE organization_id = $1`,
    );
    expect(await server.db.one(counted, [org.id])).toEqual({ count: 1, removed: 1 });
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('a second run finds nothing to do', async () => {
    const before = await storedRows(server.db);
    await runAt(WEEK_END + 90 * DAY_MS);
    expect(await storedRows(server.db)).toEqual(before);
  });
});

describe('when organizations want different things', () => {
  let short: TestOrganization;
  let long: TestOrganization;
  let forever: TestOrganization;
  const ids: Record<string, string[]> = { short: [], long: [], forever: [] };
  beforeAll(async () => {
    [short, long, forever] = [
      await server.createOrganization('Short'),
      await server.createOrganization('Long'),
      await server.createOrganization('Forever'),
    ];
    await keep(short, { content_days: 1, email_days: 10 });
    await keep(forever, { content_days: 0, email_days: 0 });
    for (let n = 0; n < 3; n += 1) {
      ids.short?.push(await deliver(short, ACCEPTED + n * DAY_MS));
      ids.long?.push(await deliver(long, ACCEPTED + n * DAY_MS));
      ids.forever?.push(await deliver(forever, ACCEPTED + n * DAY_MS));
    }
  });

  const hasContent = async (org: TestOrganization, id = '') =>
    (await get(org, `/emails/${id}/content`)).status === 200;

  it("one's content goes while the others' stays", async () => {
    await runAt(WEEK_END + 1 * DAY_MS);
    expect(await hasContent(short, ids.short?.[0])).toBe(false);
    expect(await hasContent(long, ids.long?.[0])).toBe(true);
    expect(await hasContent(forever, ids.forever?.[0])).toBe(true);
    expect(await idsIn(short)).toEqual(ids.short);
  });

  it("one's emails go, row by row, with all that belongs to them", async () => {
    await runAt(WEEK_END + 10 * DAY_MS);
    expect(await idsIn(short)).toEqual([]);
    expect(await idsIn(long)).toEqual(ids.long);
    const left = await server.db.many(
      adHoc<{ rows: number }>(
        TABLES.map((table) => `SELECT count(*) AS rows FROM ${table} WHERE organization_id = $1`).join(
          ' UNION ALL ',
        ),
      ),
      [short.id],
    );
    expect(left.map(({ rows }) => rows)).toEqual(TABLES.map(() => 0));
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('one that keeps everything keeps it', async () => {
    await runAt(WEEK_END + 4_000 * DAY_MS);
    expect(await idsIn(long)).toEqual([]);
    expect(await idsIn(forever)).toEqual(ids.forever);
    expect(await hasContent(forever, ids.forever?.[0])).toBe(true);
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('until it changes its mind', async () => {
    await keep(forever, { content_days: 7, email_days: 30 });
    await runAt(WEEK_END + 4_000 * DAY_MS);
    expect(await idsIn(forever)).toEqual([]);
    expect(await weekTables()).toEqual([]);
  });
});

describe('mail that is still to be delivered', () => {
  let org: TestOrganization;
  let scheduled: string;
  let neighbour: string;
  beforeAll(async () => {
    org = await server.createOrganization('Scheduled');
    scheduled = await sendOn(org, ACCEPTED, { scheduled_at: '2028-01-01T00:00:00Z' });
    neighbour = await deliver(org, ACCEPTED + 1);
  });

  it('stays with its content, however old, while its neighbours go', async () => {
    await runAt(WEEK_END + 365 * DAY_MS);
    expect(await idsIn(org)).toEqual([scheduled]);
    expect((await get(org, `/emails/${scheduled}/content`)).status).toBe(200);
    expect((await get(org, `/emails/${neighbour}`)).status).toBe(404);
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('goes once it is settled', async () => {
    await settle(org, scheduled);
    await runAt(WEEK_END + 365 * DAY_MS);
    expect(await idsIn(org)).toEqual([]);
    expect(await weekTables()).toEqual([]);
    expect(await countsDiffer(server.db)).toEqual([]);
  });
});

describe('the files of a batch', () => {
  let org: TestOrganization;
  let ids: string[];
  beforeAll(async () => {
    org = await server.createOrganization('Batch');
    clock.ms = ACCEPTED;
    const template = { name: 'T', subject: 's', text: 'x' };
    const { id } = (await server.api('POST', '/templates', template, org.key)).body.data;
    const recipients = ['ada', 'bob'].map((name) => ({ to: { email: `${name}@example.org` } }));
    const body = { template_id: id, from: { email: `a@${org.domain}` }, recipients, attachments };
    expect((await server.api('POST', '/emails/batch', body, org.key)).status).toBe(201);
    ids = await idsIn(org);
  });
  const files = async () => (await storedRows(server.db)).batch_attachments;

  it('stay as long as the content of one of its emails does', async () => {
    await settle(org, ids[0] as string);
    await runAt(WEEK_END + 365 * DAY_MS);
    expect(await idsIn(org)).toEqual([ids[1]]);
    const { body } = await get(org, `/emails/${ids[1]}/content`);
    expect(body.data.attachments).toMatchObject([{ filename: 'a.txt', size: 5 }]);
    expect(await files()).toBe(1);
  });

  it('go with the last', async () => {
    await settle(org, ids[1] as string);
    await runAt(WEEK_END + 365 * DAY_MS);
    expect(await files()).toBe(0);
  });
});

describe('a run', () => {
  it('gives way to sessions that use the week, and tries again later', async () => {
    const org = await server.createOrganization('Busy');
    const email = await deliver(org, ACCEPTED);
    await server.db.transaction(async (tx) => {
      await tx.exec(adHoc('SELECT * FROM emails WHERE id = $1 FOR UPDATE'), [email]);
      await runAt(WEEK_END + 90 * DAY_MS);
      expect(await tx.one(adHoc('SELECT count(*) AS left FROM emails WHERE id = $1'), [email])).toEqual({
        left: 1,
      });
    });
    await runAt(WEEK_END + 90 * DAY_MS);
    expect(await idsIn(org)).toEqual([]);
  });

  it('leaves everything alone when it is told to stop', async () => {
    const org = await server.createOrganization('Stopped');
    const email = await deliver(org, ACCEPTED);
    await runAt(WEEK_END + 90 * DAY_MS, AbortSignal.abort());
    expect(await idsIn(org)).toEqual([email]);
  });

  it('makes way for mail of that week that comes in after all', async () => {
    await runAt(WEEK_END + 90 * DAY_MS);
    expect(await weekTables()).toEqual([]);
    const org = await server.createOrganization('Late');
    const email = await sendOn(org, ACCEPTED);
    expect(await idsIn(org)).toEqual([email]);
  });
});

// Last: ids never go back in time, so all mail after that of a year later is as late.
it('an email is forgotten in its conversation and in its resends when it is gone, and not before', async () => {
  const org = await server.createOrganization('Conversation');
  const gone = await deliver(org, ACCEPTED);
  const kept = await deliver(org, ACCEPTED + 365 * DAY_MS);
  const tables = ['conversation_emails', 'resends'];
  for (const table of tables)
    for (const id of [gone, kept])
      await server.db.exec(adHoc(`INSERT INTO ${table} VALUES ($1, $2, gen_random_uuid())`), [org.id, id]);
  const left = (table: string) =>
    server.db.many(adHoc(`SELECT email_id FROM ${table} WHERE organization_id = $1`), [org.id]);
  await runAt(WEEK_END + 90 * DAY_MS - 1);
  for (const table of tables) expect(await left(table)).toHaveLength(2);
  await runAt(WEEK_END + 90 * DAY_MS);
  for (const table of tables) expect(await left(table)).toEqual([{ email_id: kept }]);
});
