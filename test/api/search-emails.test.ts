/** Full-text search of emails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
const ids: Record<string, string> = {};

const LETTERS: Record<string, Record<string, unknown>> = {
  jane: {
    to: [{ email: 'Jane.Doe@example.org', name: 'Jane Doe' }],
    subject: 'Your receipt',
    tags: [{ name: 'campaign', value: 'Spring' }],
    metadata: { order: 'A-4711', seats: 12 },
  },
  bob: {
    to: [{ email: 'bob@acme.example' }],
    cc: [{ email: 'janet@acme.example', name: 'Janet Müller' }],
    subject: 'Reset your password',
  },
  thomas: {
    to: [
      { email: 't.m@kunde.example', name: 'Thomas Mueller' },
      { email: 'lk@kunde.example', name: 'Łukasz Kowalski' },
    ],
    subject: 'Neue Straße',
  },
  templated: {
    to: [{ email: 'carl@acme.example' }],
    template_id: 'welcome-mail',
    template_data: { name: 'Carl' },
  },
};

beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  const template = {
    name: 'Greeting for newcomers',
    alias: 'welcome-mail',
    subject: 'Hello {{name}}',
    html: '<p>Hi</p>',
  };
  expect((await server.api('POST', '/templates', template, org.key)).status).toBe(201);
  for (const [name, changes] of Object.entries(LETTERS)) {
    const content = 'template_id' in changes ? { subject: 'Hello', html: undefined, text: undefined } : {};
    ids[name] = await sendLetter(server, org, { ...changes, ...content });
  }
});
afterAll(() => server.stop());

const search = (text: string, more: Record<string, string> = {}, key = org.key) =>
  server.api('GET', `/emails?${new URLSearchParams({ search: text, ...more })}`, undefined, key);

async function found(text: string, more: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await search(text, more);
  expect(status).toBe(200);
  expect(body.pagination.total_count).toBe(body.data.length);
  return body.data.map((one: { id: string }) => Object.keys(ids).find((name) => ids[name] === one.id)).sort();
}

const CASES: [string, string[]][] = [
  ['jane.doe', ['jane']],
  ['DOE@EXAMPLE', ['jane']],
  ['jane', ['bob', 'jane']],
  ['jan', ['bob', 'jane']],
  ['doe', ['jane']],
  ['ane.do', ['jane']],
  ['acme', ['bob', 'templated']],
  ['@acme.example', ['bob', 'templated']],
  ['müller', ['bob', 'thomas']],
  ['MÜLLER', ['bob', 'thomas']],
  ['mueller', ['bob', 'thomas']],
  ['muell', ['bob', 'thomas']],
  ['muller', ['bob']],
  ['strasse', ['thomas']],
  ['straße', ['thomas']],
  ['lukasz', ['thomas']],
  ['jane receipt', ['jane']],
  ['jane password', ['bob']],
  ['receipt password', []],
  ['password', ['bob']],
  ['passw', ['bob']],
  ['campaign', ['jane']],
  ['campaign:Spring', ['jane']],
  ['spring', ['jane']],
  ['a-4711', ['jane']],
  ['12', ['jane']],
  ['welcome-mail', ['templated']],
  ['newcomers', ['templated']],
  ['carl greeting', ['templated']],
  ['100%', []],
  ['ja_e', []],
  ['a', []],
];

describe.each(['waiting', 'settled'])('mail that is %s is found by', (when) => {
  beforeAll(async () => {
    if (when === 'settled') await settleAll();
  });

  it.each(CASES)('%s', async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  it('the beginning of its id, and all of it', async () => {
    const id = ids.bob as string;
    expect(await found(id)).toEqual(['bob']);
    expect(await found(id.toUpperCase())).toEqual(['bob']);
    expect(await found(id.slice(0, 13))).toContain('bob');
    expect(await found(id.slice(0, 6))).toEqual([]);
  });

  it('its template, its sender', async () => {
    const { body } = await server.api('GET', `/emails/${ids.templated}`, undefined, org.key);
    expect(await found(body.data.template_id)).toEqual(['templated']);
    expect(await found(body.data.from.email)).toEqual(['bob', 'jane', 'templated', 'thomas']);
  });
});

describe('a search', () => {
  it('goes together with the exact filters', async () => {
    expect(await found('jane', { to: 'bob@acme.example' })).toEqual(['bob']);
    expect(await found('jane', { status: 'queued' })).toEqual([]);
  });

  it('finds nothing of another organization', async () => {
    const other = await server.createOrganization('Other');
    await sendLetter(server, other, { subject: 'Mine' });
    expect((await search('jane.doe', {}, other.key)).body.data).toEqual([]);
    expect((await search('newcomers', {}, other.key)).body.data).toEqual([]);
    expect((await search(ids.jane as string, {}, other.key)).body.data).toEqual([]);
  });

  it.each([
    [' ', 'must contain something to search for'],
    ['a b c d e f g h i', 'must be at most 8 words'],
  ])('is refused with what to change: %j', async (text, message) => {
    const { status, body } = await search(text);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: 'search', message }]);
  });
});

async function settleAll(): Promise<void> {
  const rows = await server.db.many(
    adHoc<{ email_id: string; position: number }>(
      'SELECT email_id, position FROM recipients WHERE organization_id = $1',
    ),
    [org.id],
  );
  const outcomes = rows.map(({ email_id: emailId, position }) => ({
    organizationId: org.id,
    emailId,
    position,
    state: 'delivered' as const,
    attempts: 1,
    atMs: Date.now(),
  }));
  await server.db.transaction((tx) => applyOutcomes(tx, outcomes, Date.now()));
}
