/** What a dry run foretells, held against what then happens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { storedRows } from '../support/emails.ts';
import { until } from '../support/until.ts';
import { Flow } from './flow.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await Flow.start();
});
afterAll(() => flow.stop());

type Fields = Readonly<Record<string, unknown>>;

const letterTo = (to: string | readonly string[], more: Fields = {}) => ({
  from: { email: `hello@${flow.organization.domain}` },
  to: [to].flat().map((email) => ({ email })),
  subject: 'Your code',
  text: 'Your code is 123456.',
  ...more,
});

const MINUTE_MS = 60_000;
const HTML = { html: '<p>Your code is <b>123456</b>.</p>' };

async function dry(to: string | readonly string[], more: Fields = {}) {
  const { status, body } = await flow.api('POST', '/emails/send?dry_run=true', letterTo(to, more));
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}

describe('a dry run', () => {
  it('stores, counts and sends nothing', async () => {
    const before = await storedRows(flow.db);
    const answer = await dry('ada@example.org');
    expect(answer).toMatchObject({ dry_run: true, accepted: true, refusal: null });
    expect(await storedRows(flow.db)).toEqual(before);
  });

  it('names links that lead nowhere as they were written, when it is asked to look', async () => {
    const url = 'http://127.0.0.1:9/nowhere';
    const letter = letterTo('ada@example.org', { html: `<a href="${url}">Go</a>`, track_clicks: 'html' });
    const broken = async (query: string) => {
      const { body } = await flow.api('POST', `/emails/send?dry_run=true${query}`, letter);
      return body.data.message.findings
        .filter(({ kind }: { kind: string }) => kind === 'link_broken')
        .map(({ message }: { message: string }) => message.split(': ', 1)[0]);
    };
    expect(await broken('&check_links=true')).toEqual([url]);
    expect(await broken('')).toEqual([]);
  });

  it('tells the size and the signature that the message then has', async () => {
    const { message } = await dry('size@example.org', HTML);
    const sent = await flow.api('POST', '/emails/send', letterTo('size@example.org', HTML));
    await flow.final(sent.body.data.message_id);
    const inbox = () => flow.api('GET', '/sandbox/messages?to=size@example.org');
    const { body } = await until(inbox, (answer) => answer.body.data.length > 0);
    expect(message.size.message).toBe(body.data[0].size);
    expect(message.dkim).toMatchObject({ result: 'pass', domain: flow.organization.domain, aligned: true });
    expect(message.dmarc.passes).toBe(true);
  });

  it.each([
    ['delivered', 'delivered', null],
    ['bounced', 'bounced', 'unknown_recipient'],
    ['deferred', 'deferred', 'mailbox_unavailable'],
    ['greylisted', 'deferred', 'greylisted'],
    ['busy', 'deferred', 'host_busy'],
    ['nobody-of-that-name', 'bounced', 'unknown_recipient'],
  ])('says of the simulator’s %s that it would be %s', async (name, outcome, reason) => {
    const { recipients } = await dry(`${name}@simulator.test`);
    expect(recipients).toMatchObject([{ outcome, reason, email: `${name}@simulator.test` }]);
  });

  it('names what would be refused, with the status it would be refused with', async () => {
    await flow.api('POST', '/suppressions', { email: 'left@example.org', reason: 'manual' });
    const answer = await dry(['left@example.org', 'stays@example.org']);
    expect(answer).toMatchObject({
      accepted: false,
      refusal: { status: 400, code: 'RECIPIENTS_SUPPRESSED' },
      recipients: [
        { email: 'left@example.org', outcome: 'refused', message: 'The address is on the suppression list.' },
        { email: 'stays@example.org', outcome: 'refused' },
      ],
    });
  });

  it('tells what a field, a template or a limit is refused for, and what the domain', async () => {
    const missing = await dry('ada@example.org', { ...OF_TEMPLATE, template_id: 'tmpl_none' });
    expect(missing).toMatchObject({ accepted: false, refusal: { status: 404, code: 'NOT_FOUND' } });
    const from = { email: 'hello@not-mine.example' };
    const foreign = await dry('ada@example.org', { from });
    expect(foreign.refusal).toMatchObject({
      code: 'DOMAIN_NOT_VERIFIED',
      details: [{ field: 'from.email' }],
    });
    const { status } = await flow.api('POST', '/emails/send?dry_run=true', letterTo('no address'));
    expect(status).toBe(400);
  });

  it('says that mail would be held', async () => {
    const template = { name: 'Held', subject: 'S', text: 'x' };
    const { id } = (await flow.api('POST', '/templates', template)).body.data;
    const hold = { scope: 'template', value: id, reason: 'Wrong prices' };
    expect((await flow.api('POST', '/holds', hold)).status).toBe(201);
    const { recipients } = await dry('ada@example.org', { ...OF_TEMPLATE, template_id: id });
    expect(recipients).toMatchObject([{ outcome: 'held', message: 'The email would be held: Wrong prices' }]);
  });

  it('tells when scheduled mail is tried', async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const { recipients } = await dry('ada@example.org', { scheduled_at });
    expect(recipients).toMatchObject([{ outcome: 'delivered', not_before: scheduled_at }]);
  });

  it('says that mail waits once its stream has sent what a minute allows, as it then does', async () => {
    // A minute that ends meanwhile would allow as much again.
    await until(() => Date.now() % MINUTE_MS < 45_000);
    const news = { name: 'news', messages_per_minute: 2 };
    expect((await flow.api('POST', '/streams', news)).status).toBe(201);
    const some = ['a', 'b', 'c'].map((name) => `${name}@example.org`);
    const outcomes = async () =>
      (await dry(some, { stream: 'news' })).recipients.map(({ outcome }: Fields) => outcome);
    expect(await outcomes()).toEqual(['delivered', 'delivered', 'waits']);
    for (const to of some.slice(1)) {
      const sent = await flow.api('POST', '/emails/send', letterTo(to, { stream: 'news' }));
      await flow.final(sent.body.data.message_id);
    }
    const [waits] = (await dry('d@example.org', { stream: 'news' })).recipients;
    expect(waits).toMatchObject({ outcome: 'waits', reason: 'stream_limit', took: null });
    expect(waits.message).toBe(
      'The stream news sends at most 2 emails a minute. The email waits for its turn.',
    );
    const sent = await flow.api('POST', '/emails/send', letterTo('d@example.org', { stream: 'news' }));
    const explained = () => flow.api('GET', `/emails/${sent.body.data.message_id}/explain`);
    const isPutOff = ({ body }: Awaited<ReturnType<typeof explained>>) =>
      body.data.recipients[0].wait?.expected_at > new Date(Date.now() + 1_000).toISOString();
    const { body } = await until(explained, isPutOff);
    const turnMs = Date.parse(body.data.recipients[0].wait.expected_at);
    expect(Math.abs(Date.parse(waits.not_before) - turnMs)).toBeLessThan(5_000);
    // The next one goes behind it.
    const [next] = (await dry('e@example.org', { stream: 'news' })).recipients;
    expect(Math.abs(Date.parse(next.not_before) - turnMs - MINUTE_MS / 2)).toBeLessThan(5_000);
  });

  it('finds fault with content that filters dislike', async () => {
    const { message } = await dry('ada@example.org', {
      text: undefined,
      html: '<img src="https://a.example/x">',
    });
    const kinds = message.findings.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['text_missing', 'mostly_images', 'no_unsubscribe']));
  });

  it('leaves an Idempotency-Key for the send', async () => {
    const key = { 'idempotency-key': 'dry-and-wet' };
    const body = letterTo('keyed@example.org');
    const post = async (query: string) =>
      (
        await fetch(`${flow.url}/api/v1/emails/send${query}`, {
          method: 'POST',
          headers: {
            ...key,
            authorization: `Bearer ${flow.organization.key}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body),
        })
      ).status;
    const statuses = [
      await post('?dry_run=true'),
      await post(''),
      await post('?dry_run=true'),
      await post(''),
    ];
    expect(statuses).toEqual([200, 201, 200, 201]);
  });

  it.each(['dryrun=true', 'dry_run=yes', 'dry_run=true&dry_run=true'])(
    'is not misread: %s is refused, and nothing is sent',
    async (query) => {
      const { emails } = await storedRows(flow.db);
      expect((await flow.api('POST', `/emails/send?${query}`, letterTo('ada@example.org'))).status).toBe(400);
      expect((await storedRows(flow.db)).emails).toBe(emails);
    },
  );
});

const OF_TEMPLATE = { text: undefined, template_data: {} };

describe('a dry run of several', () => {
  it('answers for every recipient of a batch, and for the message of the first', async () => {
    const template = { name: 'Batch', subject: 'Hi {{name}}', text: 'Hi {{name}}' };
    const { id } = (await flow.api('POST', '/templates', template)).body.data;
    await flow.api('POST', '/suppressions', { email: 'gone@example.org', reason: 'manual' });
    const to = (email: string) => ({ to: { email }, data: { name: 'Ada' } });
    const recipients = [to('ada@example.org'), to('gone@example.org'), to('bounced@simulator.test')];
    const before = await storedRows(flow.db);
    const { status, body } = await flow.api('POST', '/emails/batch?dry_run=true', {
      ...{ from: { email: `hello@${flow.organization.domain}` }, template_id: id, recipients },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ dry_run: true, total: 3, accepted: 2, rejected: [{ index: 1 }] });
    expect(body.data.recipients.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['delivered', 'refused', 'bounced'],
    ]);
    expect(body.data.message.dkim.result).toBe('pass');
    expect(await storedRows(flow.db)).toEqual(before);
  });

  it('remembers no batch of which nobody would be mailed', async () => {
    const template = { name: 'Empty', subject: 'Hi', text: 'Hi' };
    const { id } = (await flow.api('POST', '/templates', template)).body.data;
    await flow.api('POST', '/suppressions', { email: 'only@example.org', reason: 'manual' });
    const batches = async () =>
      (await flow.db.one(adHoc<{ n: number }>('SELECT count(*) AS n FROM empty_batches'))).n;
    const before = await batches();
    await flow.api('POST', '/emails/batch?dry_run=true', {
      from: { email: `hello@${flow.organization.domain}` },
      template_id: id,
      recipients: [{ to: { email: 'only@example.org' } }],
    });
    expect(await batches()).toBe(before);
  });

  it('answers for each of several different emails', async () => {
    const emails = [letterTo('ada@example.org'), letterTo('nonsense'), letterTo('greylisted@simulator.test')];
    const { body } = await flow.api('POST', '/emails/batch/mixed?dry_run=true', { emails });
    expect(body.data).toMatchObject({
      ...{ dry_run: true, total: 3, accepted: 2 },
      results: [
        { index: 0, accepted: true, recipients: [{ outcome: 'delivered' }] },
        { index: 1, accepted: false, refusal: { code: 'VALIDATION_ERROR' } },
        { index: 2, accepted: true, recipients: [{ outcome: 'deferred' }] },
      ],
    });
  });

  it('answers for the test of a template', async () => {
    const template = { name: 'Test', subject: 'Hi', text: 'Hi' };
    const { id } = (await flow.api('POST', '/templates', template)).body.data;
    const { status, body } = await flow.api('POST', `/templates/${id}/test?dry_run=true`, {
      ...{ from: { email: `hello@${flow.organization.domain}` }, to: { email: 'ada@example.org' } },
    });
    expect([status, body.data.accepted]).toEqual([200, true]);
  });
});

describe('how long a delivery takes', () => {
  it('is expected once twenty were delivered at once, from how long they took', async () => {
    const { took: none } = (await dry('first@example.org')).recipients[0];
    expect(none).toBeNull();
    const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => flow.send(`n${n}@example.org`)));
    await Promise.all(sent.map((id) => flow.final(id)));
    const { took } = await until(
      async () => (await dry('next@example.org')).recipients[0],
      (one) => one.took !== null,
    );
    expect(took.deliveries).toBeGreaterThanOrEqual(20);
    expect(took.p90_ms).toBeGreaterThanOrEqual(took.p50_ms);
    expect(took.p50_ms).toBeGreaterThan(0);
  });
});
