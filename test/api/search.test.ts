/** One search over everything of an organization. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import { appendEvents } from '../../src/events/append.ts';
import { sharedApi, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, sendLetter } from '../support/emails.ts';
import { insertReadMail } from '../support/receiving.ts';
import { Rival } from '../support/rival.ts';
import { until } from '../support/until.ts';

interface Group {
  readonly kind: string;
  readonly outcome: string;
  readonly has_more: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into hits of every kind
  readonly hits: readonly any[];
}

const KINDS = ['suppressions', 'emails', 'request_logs', 'inbound', 'templates', 'domains', 'webhooks'];

let server: TestApi;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());

const search = (q: string, key: string, more: Record<string, string> = {}, on = server) =>
  on.api('GET', `/search?${new URLSearchParams({ q, ...more })}`, undefined, key);

/** Searches again where the machine was too busy. */
async function groups(q: string, key: string): Promise<Record<string, Group>> {
  const { body } = await until(
    () => search(q, key),
    (answer) => !answer.body.data.some(({ outcome }: Group) => outcome === 'timed_out'),
    200,
  );
  return Object.fromEntries(body.data.map((group: Group) => [group.kind, group]));
}

/** The titles of all hits, by kind. */
async function titles(q: string, key: string): Promise<Record<string, string[]>> {
  const found = Object.values(await groups(q, key)).filter(({ hits }) => hits.length > 0);
  return Object.fromEntries(found.map(({ kind, hits }) => [kind, hits.map(({ title }) => title)]));
}

const suppress = (org: TestOrganization, email: string, reason = 'hard_bounce') =>
  server.api('POST', '/suppressions', { email, reason }, org.key);

async function refused(org: TestOrganization, changes: Record<string, unknown>): Promise<void> {
  const before = (await server.api('GET', '/request-logs', undefined, org.key)).body.pagination.total_count;
  expect((await server.api('POST', '/emails/send', letter(org, changes), org.key)).status).toBe(400);
  await until(
    async () => (await server.api('GET', '/request-logs', undefined, org.key)).body.pagination.total_count,
    (count) => count > before,
    100,
  );
}

describe('a person who is suppressed', () => {
  let org: TestOrganization;
  let id: string;
  beforeAll(async () => {
    org = await server.createOrganization();
    const to = [{ email: 't.m.77@kunde.example', name: 'Thomas Müller' }];
    id = await sendLetter(server, org, { to, subject: 'Your invoice' });
    await sendLetter(server, org, { to: [{ email: 'other@kunde.example', name: 'Eva Schmidt' }] });
    await suppress(org, 't.m.77@kunde.example');
  });

  it.each([
    'mueller',
    'Müller',
    'muller',
    'thomas',
    'THOMAS MUELLER',
    'th mueller',
    'muell',
    't.m.77@kunde.example',
  ])('is found as %s, with the reason and the time', async (q) => {
    const { suppressions } = await groups(q, org.key);
    expect(suppressions).toMatchObject({ outcome: 'complete', has_more: false });
    expect(suppressions?.hits).toEqual([
      {
        id: expect.stringMatching(/^sup_/),
        path: '/suppressions?email=t.m.77%40kunde.example',
        title: 't.m.77@kunde.example',
        email: 't.m.77@kunde.example',
        name: 'Thomas Müller',
        state: 'hard_bounce',
        message: 'This address gets no mail, because its server refused mail permanently.',
        email_id: null,
        at: expect.any(String),
      },
    ]);
  });

  it('has emails that are found with it', async () => {
    const { emails } = await groups('mueller', org.key);
    expect(emails?.hits).toMatchObject([
      {
        id,
        path: `/emails/${id}`,
        title: 'Your invoice',
        name: 'Thomas Müller',
        state: 'queued',
        message: null,
      },
    ]);
  });

  it('is found by the name in a refused request when no mail was ever accepted', async () => {
    const other = await server.createOrganization();
    await suppress(other, 'lk@kunde.example', 'complaint');
    await refused(other, { to: [{ email: 'lk@kunde.example', name: 'Łukasz Kowalski' }] });
    const found = await groups('lukasz', other.key);
    expect(found.suppressions?.hits).toMatchObject([{ name: 'Łukasz Kowalski', state: 'complaint' }]);
    expect(found.request_logs?.hits).toMatchObject([
      { title: 'POST /emails/send', email: 'lk@kunde.example', state: 'RECIPIENTS_SUPPRESSED' },
    ]);
  });

  it('is found by the middle of an address that got no mail', async () => {
    const other = await server.createOrganization();
    await suppress(other, 'sales+wagenknecht@kunde.example', 'manual');
    expect(await titles('wagenknecht', other.key)).toEqual({
      suppressions: ['sales+wagenknecht@kunde.example'],
    });
  });
});

describe('a search', () => {
  it('names what became of the mail of this person and not of the others', async () => {
    const org = await server.createOrganization();
    const to = [
      { email: 'ada@kunde.example', name: 'Ada Lovelace' },
      { email: 'grace@kunde.example', name: 'Grace Hopper' },
    ];
    const emailId = await sendLetter(server, org, { to });
    await outcome(org, emailId, 0, 'ada@kunde.example', 'bounced');
    await outcome(org, emailId, 1, 'grace@kunde.example', 'delivered');
    const [ada] = (await groups('lovelace', org.key)).emails?.hits ?? [];
    expect(ada).toMatchObject({ state: 'partly_delivered', message: 'The mailbox does not exist.' });
    const [grace] = (await groups('hopper', org.key)).emails?.hits ?? [];
    expect(grace).toMatchObject({ state: 'partly_delivered', message: null });
  });

  it('finds templates, domains, webhooks, received mail and refused requests', async () => {
    const org = await server.createOrganization();
    const word = `begruessung-${org.domain}`;
    await server.addVerifiedDomain(org.id, `begruessung-${org.domain}`);
    const template = { name: `Begrüßung-${org.domain}`, subject: 'Hi', text: 'x' };
    await server.api('POST', '/templates', template, org.key);
    await server.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', description: word }, org.key);
    await insertReadMail(server.db, { id: org.id, address: `${word}@example.org` });
    await refused(org, { from: { email: 'a@unverified.example' }, subject: word });
    expect(Object.keys(await titles(word, org.key)).toSorted()).toEqual(
      ['domains', 'inbound', 'request_logs', 'templates', 'webhooks'].toSorted(),
    );
  });

  it('shows at most five of a kind, and says that there are more', async () => {
    const org = await server.createOrganization();
    for (let n = 0; n < 6; n += 1) await suppress(org, `many${n}@kunde.example`);
    const { suppressions } = await groups('kunde.example', org.key);
    expect(suppressions).toMatchObject({ has_more: true });
    expect(suppressions?.hits).toHaveLength(5);
  });

  it('finds nothing of another organization', async () => {
    const [owner, stranger] = [await server.createOrganization(), await server.createOrganization()];
    await sendLetter(server, owner, { to: [{ email: 'secret@kunde.example', name: 'Sekret Person' }] });
    await suppress(owner, 'secret@kunde.example');
    expect(await titles('sekret', stranger.key)).toEqual({});
    expect(await titles('secret@kunde.example', stranger.key)).toEqual({});
  });

  it('searches only the kinds that are asked for', async () => {
    const org = await server.createOrganization();
    const { body } = await search('ada', org.key, { kinds: 'webhooks,emails' });
    expect(body.data.map(({ kind }: Group) => kind)).toEqual(['emails', 'webhooks']);
  });

  it.each([
    '100%',
    'a_b',
    "o'brien",
    'back\\slash',
    '"{}[]()*+?.',
    'ü'.repeat(200),
    '\ud800\ud800',
    'ⅷ ﬁ ﷺ',
    '👩‍🚀 👩‍🚀',
    'one two three four five six seven eight',
  ])('answers a text that means something to a pattern or a program: %j', async (q) => {
    const org = await server.createOrganization();
    await sendLetter(server, org, { to: [{ email: 'ada@kunde.example', name: 'Ada' }] });
    expect((await search(q, org.key)).status).toBe(200);
    expect(await titles(q, org.key)).toEqual({});
  });

  it.each([
    [{ q: 'a' }, 'q'],
    [{ q: '   ' }, 'q'],
    [{ q: 'one two three four five six seven eight nine' }, 'q'],
    [{ q: 'ada', kinds: 'letters' }, 'kinds'],
  ])('is refused with the field that is wrong: %j', async (query, field) => {
    const org = await server.createOrganization();
    const { status, body } = await search(query.q, org.key, query);
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ field }]);
  });
});

describe('a key', () => {
  const LISTS: Record<string, string> = {
    suppressions: '/suppressions',
    emails: '/emails',
    request_logs: '/request-logs',
    inbound: '/inbound',
    templates: '/templates',
    domains: '/domains',
    webhooks: '/webhooks',
  };

  it.each([
    { scope: 'full' },
    { scope: 'read' },
    { scope: 'agent' },
    { scope: 'full', domain: 'tied.test' },
  ] as const)('searches exactly what it may list: %j', async (rights) => {
    const org = await server.createOrganization();
    if ('domain' in rights) await server.addVerifiedDomain(org.id, rights.domain);
    const key = await server.createKey(org.id, rights);
    const found = await groups('anything', key);
    for (const kind of KINDS) {
      const { status } = await server.api('GET', LISTS[kind] as string, undefined, key);
      expect([kind, found[kind]?.outcome === 'forbidden']).toEqual([kind, status === 403]);
    }
  });

  it('that is tied to a domain finds only mail and the domain of its own', async () => {
    const org = await server.createOrganization();
    await server.addVerifiedDomain(org.id, 'tied-too.test');
    const key = await server.createKey(org.id, { scope: 'read', domain: 'tied-too.test' });
    const to = [{ email: 'ada@kunde.example', name: 'Adelheid' }];
    await sendLetter(server, org, { to, subject: 'Theirs' });
    await sendLetter(server, org, { to, subject: 'Ours', from: { email: 'a@tied-too.test' } });
    expect(await titles('adelheid', key)).toEqual({ emails: ['Ours'] });
    expect(await titles('test', key)).toEqual({ domains: ['tied-too.test'] });
  });

  it('of scope send may not search', async () => {
    const org = await server.createOrganization();
    expect((await search('ada', await server.createKey(org.id, { scope: 'send' }))).status).toBe(403);
  });
});

describe('a kind that takes too long', () => {
  it('is reported as timed out, with the hits of the others', async () => {
    const own = await startApi();
    const rival = await Rival.holding(own.database.url, 'LOCK TABLE webhook_endpoints');
    try {
      const org = await own.createOrganization();
      const { body } = await until(
        () => search('example', org.key, { kinds: 'domains,webhooks' }, own),
        (answer) => answer.status === 200 && answer.body.data[0].outcome === 'complete',
      );
      expect(body.data[1]).toEqual({ kind: 'webhooks', outcome: 'timed_out', has_more: false, hits: [] });
    } finally {
      await rival.letGo();
      await own.stop();
    }
  });
});

async function outcome(
  org: TestOrganization,
  emailId: string,
  position: number,
  recipient: string,
  state: 'bounced' | 'delivered',
): Promise<void> {
  const key = { organizationId: org.id, emailId, position };
  const reason = state === 'bounced' ? 'unknown_recipient' : null;
  await server.db.transaction(async (tx) => {
    await applyOutcomes(tx, [{ ...key, state, attempts: 1, atMs: Date.now() }], Date.now());
    await appendEvents(tx, [{ ...key, recipient, atMs: Date.now(), type: state, reason }]);
  });
}
