/**
 * PostgreSQL fails with every kind of error while mail is accepted or read. Clients are asked to retry, nothing is stored partly,
 * and the same request succeeds later.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import { Acceptor } from '../../src/submission/accept.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, newEmailOf, sendLetter, storedRows } from '../support/emails.ts';
import { PASSING_STATES, Refusals } from '../support/refusals.ts';

let server: TestApi;
let org: TestOrganization;
let refusals: Refusals;
let templateId: string;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  const template = { name: 'T', subject: 'Hello', text: 'Hello all' };
  templateId = (await server.api('POST', '/templates', template, org.key)).body.data.id;
  refusals = await Refusals.of(server.db);
  await sendLetter(server, org);
});
afterEach(() => refusals.relent());
afterAll(() => server.stop());

type Ask = (key?: string) => Promise<Answer>;

async function post(path: string, body: unknown, key?: string): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const batch = () => ({
  from: { email: `news@${org.domain}` },
  template_id: templateId,
  recipients: [{ to: { email: 'ada@example.org' } }, { to: { email: 'bob@example.org' } }],
});
const REQUESTS: readonly { name: string; emails: number; ask: Ask }[] = [
  { name: 'a send', emails: 1, ask: (key) => post('/emails/send', letter(org), key) },
  { name: 'a batch', emails: 2, ask: (key) => post('/emails/batch', batch(), key) },
];

function expectRetryLater(answer: Answer): void {
  expect(answer.body).toEqual({
    error: { code: 'UNAVAILABLE', message: expect.stringContaining('Try again'), details: [] },
  });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe.each(PASSING_STATES)('mail that cannot be accepted because of %s', (state) => {
  it.each(REQUESTS)('$name is told to come back, leaves nothing behind, and works then', async (one) => {
    for (const key of [undefined, `${state} ${one.name}`]) {
      const before = await storedRows(server.db);
      await refusals.refuse(state, 1, { what: 'INSERT', table: 'outbox' });
      expectRetryLater(await one.ask(key));
      expect(await storedRows(server.db)).toEqual(before);
      expect((await one.ask(key)).status).toBe(201);
      expect((await storedRows(server.db)).emails).toBe(before.emails + one.emails);
    }
  });

  it('with an Idempotency-Key is done once, wherever it was refused', async () => {
    const { emails } = await storedRows(server.db);
    for (const what of ['INSERT', 'UPDATE'] as const) {
      await refusals.refuse(state, 1, { what, table: 'idempotency_keys' });
      const ask = () => post('/emails/send', letter(org), `${state} ${what}`);
      expectRetryLater(await ask());
      const answers = [await ask(), await ask()];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[1]?.body).toEqual(answers[0]?.body);
    }
    expect((await storedRows(server.db)).emails).toBe(emails + 2);
  });

  it('is not read either', async () => {
    await server.db.exec(
      adHoc(`CREATE FUNCTION unreadable() RETURNS boolean LANGUAGE plpgsql AS $$
             BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${state}'; END $$`),
    );
    await server.db.exec(adHoc('ALTER TABLE emails RENAME TO readable_emails'));
    await server.db.exec(adHoc('CREATE VIEW emails AS SELECT * FROM readable_emails WHERE unreadable()'));
    try {
      expectRetryLater(await server.api('GET', '/emails', undefined, org.key));
    } finally {
      await server.db.exec(adHoc('DROP VIEW emails'));
      await server.db.exec(adHoc('ALTER TABLE readable_emails RENAME TO emails'));
      await server.db.exec(adHoc('DROP FUNCTION unreadable'));
    }
    expect((await server.api('GET', '/emails', undefined, org.key)).status).toBe(200);
  });
});

it('a key that cannot be given back is taken over by the next request with it', async () => {
  const before = await storedRows(server.db);
  await refusals.refuse(
    '53100',
    2,
    { what: 'INSERT', table: 'outbox' },
    { what: 'DELETE', table: 'idempotency_keys' },
  );
  expectRetryLater(await post('/emails/send', letter(org), 'held'));
  expect((await post('/emails/send', letter(org), 'held')).status).toBe(201);
  expect((await storedRows(server.db)).emails).toBe(before.emails + 1);
});

describe('emails that are accepted together', () => {
  const acceptTwo = async () => {
    const acceptor = new Acceptor({
      db: server.db,
      mode: 'live',
      lifetimeMs: createLifetime(1),
      waker: { wake: () => undefined, withCommit: () => null },
    });
    const accepted = await Promise.allSettled(
      [1, 2].map(() => acceptor.accept({ emails: [newEmailOf(org.id, letter(org))], completion: null })),
    );
    return accepted.map(({ status }) => status);
  };

  it.each(['40001', '40P01', 'XX000', '22012'])('are tried alone after %s', async (state) => {
    const { emails } = await storedRows(server.db);
    await refusals.refuse(state, 1, { what: 'INSERT', table: 'outbox' });
    expect(await acceptTwo()).toEqual(['fulfilled', 'fulfilled']);
    expect((await storedRows(server.db)).emails).toBe(emails + 2);
  });

  it.each(['53100', '57014'])('are all told to come back after %s', async (state) => {
    await refusals.refuse(state, 1, { what: 'INSERT', table: 'outbox' });
    expect(await acceptTwo()).toEqual(['rejected', 'rejected']);
  });
});
