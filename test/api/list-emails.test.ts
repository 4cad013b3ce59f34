import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

const clock = { ms: 0, nowMs: () => clock.ms };

let server: TestApi;
let org: TestOrganization;
/** The ids by the names below. */
const ids: Record<string, string> = {};

const LETTERS: [name: string, at: string, changes: Record<string, unknown>, state?: RecipientState][] = [
  ['first', '2029-03-10T23:59:59.999Z', { subject: 'Invoice 100%' }, 'delivered'],
  [
    'second',
    '2029-03-11T00:00:00.000Z',
    { subject: 'invoice 1000', to: [{ email: 'Bob@Example.net' }] },
    'bounced',
  ],
  [
    'third',
    '2029-03-11T12:00:00.000Z',
    { subject: 'ÜBER uns', tags: [{ name: 'kind', value: 'a:b' }] },
    'failed',
  ],
  [
    'fourth',
    '2029-03-11T23:59:59.999Z',
    {
      subject: 'a_b\\c',
      tags: [
        { name: 'kind', value: 'c' },
        { name: 'run', value: 'kind' },
      ],
      bcc: [{ email: 'Ümit@müller.example' }],
    },
    'opened',
  ],
  [
    'fifth',
    '2029-03-12T00:00:00.000Z',
    { subject: 'axb', from: 'other', cc: [{ email: 'bob@sub.example.net' }] },
  ],
  ['sixth', '2029-03-19T08:00:00.000Z', { subject: 'Next week', priority: 'low' }],
];
const NAMES = LETTERS.map(([name]) => name);

beforeAll(async () => {
  clock.ms = Date.parse('2029-03-01T00:00:00Z');
  server = await startApi({ clock });
  org = await server.createOrganization();
  await server.addVerifiedDomain(org.id, 'other.example');
  for (const [name, at, { from, ...changes }, state] of LETTERS) {
    clock.ms = Date.parse(at);
    const sender = from === undefined ? {} : { from: { email: `Sales@other.example` } };
    const emailId = await sendLetter(server, org, { ...changes, ...sender });
    ids[name] = emailId;
    if (state !== undefined) await settleAll(emailId, state);
  }
});
afterAll(() => server.stop());

async function settleAll(emailId: string, state: RecipientState): Promise<void> {
  const rows = await server.db.many(
    adHoc<{ position: number }>('SELECT position FROM recipients WHERE email_id = $1'),
    [emailId],
  );
  const outcomes = rows.map(({ position }) => ({
    organizationId: org.id,
    emailId,
    position,
    state,
    attempts: 1,
    atMs: clock.ms,
  }));
  await server.db.transaction((tx) => applyOutcomes(tx, outcomes, clock.ms));
}

const list = (query: Record<string, string> = {}, key = org.key) =>
  server.api('GET', `/emails?${new URLSearchParams(query)}`, undefined, key);

/** The names of what a query finds, oldest first; and that its total says the same. */
async function found(query: Record<string, string>): Promise<string[]> {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  expect(body.pagination.total_count).toBe(body.data.length);
  return body.data.map((one: { id: string }) => NAMES.find((name) => ids[name] === one.id)).reverse();
}

describe('the list of emails', () => {
  it('shows who an email is from and to where that is asked for', async () => {
    const { body } = await list({ include: 'addresses', limit: '1' });
    expect(body.data[0]).toMatchObject({ id: ids.sixth, from: { email: expect.any(String) } });
    expect(body.data[0].to).toHaveLength(1);
  });

  it('shows the newest first, with the fields of a list and no others', async () => {
    const { body } = await list();
    expect(body.data.map((one: { id: string }) => one.id)).toEqual(NAMES.map((name) => ids[name]).reverse());
    expect(body.data[0]).toEqual({
      id: ids.sixth,
      message_id: ids.sixth,
      subject: 'Next week',
      status: 'queued',
      state: 'queued',
      recipient_count: 1,
      delivered_count: 0,
      next_attempt_at: null,
      hold: null,
      priority: 'low',
      created_at: '2029-03-19T08:00:00.000Z',
      updated_at: '2029-03-19T08:00:00.000Z',
    });
    expect(body.pagination).toEqual({ page: 1, limit: 20, total_count: 6, total_pages: 1 });
  });

  it('keeps the order of emails accepted within one millisecond', async () => {
    const busy = await server.createOrganization('Busy');
    const sent: string[] = [];
    for (let i = 0; i < 5; i += 1) sent.push(await sendLetter(server, busy));
    const { body } = await list({}, busy.key);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual(sent.reverse());
  });

  it('is empty, with no pages, where nothing was sent', async () => {
    const { key } = await server.createOrganization('Empty');
    expect((await list({}, key)).body).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total_count: 0, total_pages: 0 },
    });
  });
});

describe('pages', () => {
  it('together hold every email once', async () => {
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list({ page, limit: '2' })));
    expect(pages.flatMap((one) => one.body.data.map((row: { id: string }) => row.id))).toEqual(
      NAMES.map((name) => ids[name]).reverse(),
    );
    expect(pages[1]?.body.pagination).toEqual({ page: 2, limit: 2, total_count: 6, total_pages: 3 });
  });

  it('round the number of pages up', async () => {
    expect((await list({ limit: '4' })).body.pagination.total_pages).toBe(2);
  });

  it.each(['2', '1000000000'])('past the end are empty and still know the totals: %s', async (page) => {
    expect((await list({ page })).body).toEqual({
      data: [],
      pagination: { page: Number(page), limit: 20, total_count: 6, total_pages: 1 },
    });
  });

  it.each(['1', '100'])('may have %s items', async (limit) => {
    expect((await list({ limit })).body.data).toHaveLength(Math.min(6, Number(limit)));
  });

  it('count what a filter leaves', async () => {
    const { body } = await list({ subject: 'invoice', limit: '1', page: '2' });
    expect(body.data[0].id).toBe(ids.first);
    expect(body.pagination).toEqual({ page: 2, limit: 1, total_count: 2, total_pages: 2 });
  });
});

describe('filters', () => {
  it.each([
    ['queued', ['fifth', 'sixth']],
    ['delivered', ['first']],
    ['bounced', ['second']],
    ['failed', ['third']],
    ['opened', ['fourth']],
  ])('find status %s', async (status, expected) => {
    expect(await found({ status })).toEqual(expected);
  });

  it.each([
    [{ from_date: '2029-03-11' }, NAMES.slice(1)],
    [{ to_date: '2029-03-11' }, NAMES.slice(0, 4)],
    [{ from_date: '2029-03-11', to_date: '2029-03-11' }, ['second', 'third', 'fourth']],
    [{ from_date: '2029-03-10', to_date: '2029-03-10' }, ['first']],
    [{ from_date: '2029-03-11T12:00:00Z' }, NAMES.slice(2)],
    [{ from_date: '2029-03-11T12:00:00.001Z' }, NAMES.slice(3)],
    [{ to_date: '2029-03-11T12:00:00Z' }, NAMES.slice(0, 3)],
    [{ to_date: '2029-03-11T11:59:59.999Z' }, NAMES.slice(0, 2)],
    [
      { from_date: '2029-03-11T00:00:00Z', to_date: '2029-03-11T23:59:59.999Z' },
      ['second', 'third', 'fourth'],
    ],
    [{ from_date: '2029-03-11T00:00:00Z', to_date: '2029-03-11T00:00:00Z' }, ['second']],
    [{ from_date: '2029-03-11T14:00:00+02:00', to_date: '2029-03-11T07:00:00-05:00' }, ['third']],
    [{ from_date: '2029-03-11T12:00', to_date: '2029-03-11' }, ['third', 'fourth']],
    [{ from_date: '2029-03-12', to_date: '2029-03-11' }, []],
    [{ from_date: '1969-12-31', to_date: '9999-12-31' }, NAMES],
    [{ to_date: '1960-01-01' }, []],
  ])('find the time %j, both ends included', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each([
    ['bob@example.net', ['second']],
    ['BOB@EXAMPLE.NET', ['second']],
    ['ada@example.org', ['first', 'third', 'fourth', 'fifth', 'sixth']],
    ['@example.net', ['second']],
    ['@Sub.Example.net', ['fifth']],
    ['ümit@müller.example', ['fourth']],
    ['Ümit@xn--mller-kva.example', ['fourth']],
    ['@MÜLLER.example', ['fourth']],
    ['nobody@example.org', []],
    ['%@example.net', []],
    ['b_b@example.net', []],
  ])('find who it went to, to, cc or bcc: %s', async (to, expected) => {
    expect(await found({ to })).toEqual(expected);
  });

  it.each([
    ['sales@OTHER.example', ['fifth']],
    ['@other.example', ['fifth']],
    ['@ther.example', []],
    ['@example', null],
  ])('find who sent it: %s', async (from, expected) => {
    if (expected === null) expect((await list({ from })).status).toBe(400);
    else expect(await found({ from })).toEqual(expected);
  });

  it.each([
    ['invoice', ['first', 'second']],
    ['VOICE 100', ['first', 'second']],
    ['100%', ['first']],
    ['%', ['first']],
    ['_', ['fourth']],
    ['a_b', ['fourth']],
    ['\\', ['fourth']],
    ['b\\c', ['fourth']],
    ['über UNS', ['third']],
    ["'", []],
  ])('find any part of a subject, every character for itself: %s', async (subject, expected) => {
    expect(await found({ subject })).toEqual(expected);
  });

  it.each([
    ['kind', ['third', 'fourth']],
    ['kind:c', ['fourth']],
    ['kind:a:b', ['third']],
    ['run:kind', ['fourth']],
    ['kind:kind', []],
    ['Kind', []],
    ['kin', []],
  ])('find the tag %s', async (tag, expected) => {
    expect(await found({ tag })).toEqual(expected);
  });

  it('find a batch', async () => {
    await server.db.exec(adHoc('UPDATE emails SET batch_id = $2 WHERE id = $1'), [ids.third, 'batch_x']);
    expect(await found({ batch_id: 'batch_x' })).toEqual(['third']);
    expect(await found({ batch_id: 'batch_y' })).toEqual([]);
  });

  it.each([
    [{ status: 'queued', to: 'ada@example.org', from: '@other.example' }, ['fifth']],
    [
      { status: 'opened', tag: 'kind', subject: 'A', from_date: '2029-03-11', to_date: '2029-03-11' },
      ['fourth'],
    ],
    [{ status: 'failed', tag: 'run' }, []],
    [{ status: 'queued', from_date: '2029-03-12', to_date: '2029-03-12' }, ['fifth']],
    [{ status: 'queued', from_date: '2029-03-12T00:00:01Z' }, ['sixth']],
  ])('hold together: %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('never show what other organizations sent', async () => {
    const other = await server.createOrganization('Other');
    const mine = await sendLetter(server, other, { subject: 'invoice' });
    const shown = await Promise.all(
      [{}, { subject: 'invoice' }, { to: 'ada@example.org' }].map((query) => list(query, other.key)),
    );
    for (const { body } of shown) {
      expect(body.data.map((one: { id: string }) => one.id)).toEqual([mine]);
      expect(body.pagination.total_count).toBe(1);
    }
  });
});
