/** Bounces that suppress, and suppressions that stop what was accepted before them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { acceptReporting } from '../support/emails.ts';
import { agree, type SinkMoment, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { Flow, typesOf } from './flow.ts';

async function suppressions(flow: Flow): Promise<Record<string, unknown>[]> {
  return (await flow.api('GET', '/suppressions?limit=100')).body.data;
}

const suppress = (flow: Flow, email: string) =>
  flow.api('POST', '/suppressions', { email, reason: 'unsubscribe' });

/** Why the next email to this address is not even accepted, or null. */
async function refusalFor(flow: Flow, email: string): Promise<string | null> {
  const answer = await flow.api('POST', '/emails/send', {
    from: { email: `hello@${flow.organization.domain}` },
    to: [{ email }],
    subject: 'Again',
    text: 'Hello',
  });
  return answer.status === 201 ? null : answer.body.error.code;
}

describe('with a server that knows some recipients and not others', () => {
  let sink: SmtpSink;
  let flow: Flow;
  async function answerTo({ line }: SinkMoment) {
    if (/gone/i.test(line)) return '550 5.1.1 No such user here';
    if (/blocked/.test(line)) return '554 5.7.1 Your mail is not wanted';
    if (/full/.test(line)) return '552 5.2.2 The mailbox is full';
    if (/later/.test(line)) return '450 4.2.1 Try again later';
    return agree();
  }

  beforeAll(async () => {
    sink = await startSmtpSink({ script: { rcpt: answerTo } });
    flow = await Flow.start({
      POSTRIDER_MODE: 'live',
      POSTRIDER_RELAY_URL: `smtp://${sink.address}:${sink.port}`,
    });
  });
  afterAll(async () => {
    await flow.stop();
    await sink.close();
  });

  it('a recipient that does not exist is suppressed, and the next email is refused', async () => {
    const email = await flow.final(await flow.send('Gone@example.org'));
    expect(email.status).toBe('bounced');
    expect(await suppressions(flow)).toContainEqual(
      expect.objectContaining({
        email: 'Gone@example.org',
        reason: 'hard_bounce',
        source: 'automatic',
        email_id: email.id,
        cause: 'unknown_recipient',
      }),
    );
    expect(await refusalFor(flow, 'gone@EXAMPLE.org')).toBe('RECIPIENTS_SUPPRESSED');
  });

  it('it never touches the other recipients of the same email', async () => {
    const id = await flow.send(['fine@many.example', 'gone@many.example'], {
      cc: [{ email: 'also-fine@many.example' }],
    });
    const email = await flow.final(id);
    expect(email.recipients.map((one) => one.status)).toEqual(['delivered', 'bounced', 'delivered']);
    expect(await refusalFor(flow, 'fine@many.example')).toBeNull();
    expect(await refusalFor(flow, 'also-fine@many.example')).toBeNull();
    expect(await refusalFor(flow, 'gone@many.example')).toBe('RECIPIENTS_SUPPRESSED');
  });

  it('a refusal that is our own fault suppresses nobody', async () => {
    const email = await flow.final(await flow.send('blocked@example.org'));
    expect(email.status).toBe('bounced');
    expect(await refusalFor(flow, 'blocked@example.org')).toBeNull();
  });

  it('a mailbox that stays full for two weeks is suppressed by its fifth failure', async () => {
    for (let i = 0; i < 4; i += 1) {
      expect((await flow.final(await flow.send('full@example.org'))).status).toBe('bounced');
    }
    expect(await refusalFor(flow, 'full@example.org')).toBeNull();
    await flow.db.exec(adHoc(`UPDATE mailbox_failures SET first_at = first_at - interval '14 days'`));
    await flow.final(await flow.send('full@example.org'));
    expect(await refusalFor(flow, 'full@example.org')).toBe('RECIPIENTS_SUPPRESSED');
    const entry = (await suppressions(flow)).find((one) => one.email === 'full@example.org');
    expect(entry).toMatchObject({ reason: 'soft_bounce', cause: 'mailbox_full' });
  });

  it('a full mailbox that takes mail again starts anew', async () => {
    const failures = () =>
      flow.db.many(adHoc(`SELECT FROM mailbox_failures WHERE key = 'recovering@example.org'`));
    await flow.db.exec(
      adHoc(
        `INSERT INTO mailbox_failures VALUES ($1, 'recovering@example.org', 4, now() - interval '20 days', now())`,
      ),
      [flow.organization.id],
    );
    expect((await flow.final(await flow.send('recovering@example.org'))).status).toBe('delivered');
    expect(await failures()).toEqual([]);
  });

  it('one that was suppressed after it was accepted is rejected before the next try, without a word to the server', async () => {
    const id = await flow.send(['later@example.org', 'other@example.org']);
    await flow.when(id, (email) => typesOf(email).includes('deferred'));
    await suppress(flow, 'later@example.org');
    await flow.db.exec(adHoc('UPDATE outbox SET due_at = now() WHERE email_id = $1'), [id]);
    const before = sink.connections.length;
    const email = await flow.final(id);
    expect(email.status).toBe('failed');
    expect(email.recipients.map((one) => one.status)).toEqual(['failed', 'delivered']);
    expect(email.events.at(-1)).toMatchObject({
      type: 'rejected',
      recipient: 'later@example.org',
      reason: 'suppressed',
      smtp_code: null,
      mx_host: null,
    });
    expect(sink.connections.length).toBe(before);
  });

  it('one that left its group after it was accepted is rejected, and mail of other groups goes on', async () => {
    const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
    const news = await flow.send('reader@example.org', { ...later, unsubscribe_group: 'news' });
    const offers = await flow.send('reader@example.org', { ...later, unsubscribe_group: 'offers' });
    const left = { email: 'READER@example.org', reason: 'unsubscribe', unsubscribe_group: 'news' };
    await flow.api('POST', '/suppressions', left);
    await flow.db.exec(adHoc('UPDATE outbox SET due_at = now() WHERE email_id = ANY ($1::uuid[])'), [
      [news, offers],
    ]);
    expect((await flow.final(news)).events.at(-1)).toMatchObject({ type: 'rejected', reason: 'suppressed' });
    expect((await flow.when(offers, (email) => typesOf(email).includes('processing'))).status).not.toBe(
      'failed',
    );
  });

  it('suppressed recipients that are to be reported are each rejected, wherever they stand, and the others get the mail', async () => {
    const [listed, copied, blind] = ['listed@there.example', 'Copied@there.example', 'blind@there.example'];
    await suppress(flow, listed);
    await suppress(flow, 'copied@there.example');
    const left = { email: 'blind@THERE.example', reason: 'unsubscribe', unsubscribe_group: 'news' };
    await flow.api('POST', '/suppressions', left);
    const id = await acceptReporting(
      flow.db,
      flow.organization,
      {
        to: [{ email: listed }, { email: 'fine@there.example' }],
        cc: [{ email: copied }],
        bcc: [{ email: blind }],
        unsubscribe_group: 'news',
      },
      'live',
    );
    const email = await flow.final(id);
    expect(email.recipients.map((one) => one.status)).toEqual(['failed', 'delivered', 'failed', 'failed']);
    const rejected = email.events.filter(({ type }) => type === 'rejected');
    expect(rejected.map(({ recipient, reason }) => [recipient, reason]).sort()).toEqual([
      [copied, 'suppressed'],
      [blind, 'suppressed'],
      [listed, 'suppressed'],
    ]);
  });

  it('a scheduled email to someone who unsubscribed meanwhile is rejected when its time has come', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const id = await flow.send('scheduled@example.org', { scheduled_at: soon });
    await suppress(flow, 'SCHEDULED@example.org');
    const email = await flow.final(id);
    expect(email.status).toBe('failed');
    expect(typesOf(email)).toEqual(['queued', 'rejected']);
    expect(email.events[1]?.reason).toBe('suppressed');
  });
});

describe('in the sandbox', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await Flow.start();
  });
  afterAll(() => flow.stop());

  it.each(['bounced', 'full'])('%s@simulator.test can be tried as often as one likes', async (name) => {
    for (let i = 0; i < 2; i += 1) {
      expect((await flow.final(await flow.send(`${name}@simulator.test`))).status).toBe('bounced');
    }
    expect(await suppressions(flow)).toEqual([]);
    expect(await flow.db.many(adHoc('SELECT FROM mailbox_failures'))).toEqual([]);
  });

  it('a simulator address that somebody suppressed is refused like any other', async () => {
    await suppress(flow, 'delivered+opted-out@simulator.test');
    expect(await refusalFor(flow, 'delivered+opted-out@simulator.test')).toBe('RECIPIENTS_SUPPRESSED');
  });
});
