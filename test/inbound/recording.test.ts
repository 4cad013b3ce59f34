/** From a report that is sent to the receiver to what customers see of it. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { removeEmailsStep } from '../../src/emails/store-removal.ts';
import { appendAttempts } from '../../src/events/attempts.ts';
import { encodeUnsubscribeToken } from '../../src/protocols/message/tracking-token.ts';
import { daysBefore } from '../../src/routing/source-days.ts';
import { allowanceAt, stepAfter } from '../../src/routing/warm-up.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { utcDay } from '../../src/runtime/timestamp.ts';
import { address as addressOf } from '../support/addresses.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { sendLetter } from '../support/emails.ts';
import {
  INBOUND_HOST,
  referenceOf,
  returnPathTo,
  startInbound,
  type TestInbound,
} from '../support/inbound.ts';
import { complaintReport, deliveryReport, markDelivered, ReportSender } from '../support/reports.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const TRACKING_KEY = new SecretKey(Buffer.from(TEST_SECRET_KEY)).derive('tracking');

let server: TestApi;
let inbound: TestInbound;
let second: TestInbound;
let org: TestOrganization;
const sender = new ReportSender();
beforeAll(async () => {
  server = await startApi();
  inbound = await startInbound(server.database);
  second = await startInbound(server.database);
});
afterAll(async () => {
  await sender.stop();
  await inbound?.stop();
  await second?.stop();
  await server?.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
  await server.db.exec(adHoc('TRUNCATE inbound_messages'));
});

async function delivered(to: readonly string[] = ['ada@example.org']): Promise<string> {
  const id = await sendLetter(server, org, { to: to.map((email) => ({ email })) });
  await markDelivered(server.db, org.id, id);
  return id;
}

function deliveryOf(emailId: string, position = 0) {
  return { organizationId: org.id, emailId, position };
}

/** Sends each, and waits until all are read. */
async function bring(to: string, ...messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    expect(await sender.send(inbound.port, to, message)).toMatchObject({ kind: 'accepted' });
  }
  await untilRead();
}

async function untilRead(): Promise<void> {
  await expect.poll(() => inState('waiting'), { timeout: 20_000, interval: 20 }).toBe(0);
}

async function inState(state: string): Promise<number> {
  const count = adHoc<{ count: number }>('SELECT count(*) FROM inbound_messages WHERE state = $1');
  return (await server.db.one(count, [state])).count;
}

async function email(id: string) {
  return (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
}

/** Without those of accepting and delivering. */
async function later(id: string): Promise<Record<string, unknown>[]> {
  return (await email(id)).events.filter(
    ({ type }: { type: string }) => type !== 'queued' && type !== 'delivered',
  );
}

async function suppressions(): Promise<Record<string, unknown>[]> {
  return (await server.api('GET', '/suppressions', undefined, org.key)).body.data;
}

describe('a bounce that comes later', () => {
  it('makes a delivered email bounced and suppresses its recipient, as the token says', async () => {
    const id = await delivered();
    await bring(returnPathTo(deliveryOf(id)), deliveryReport());
    expect(await email(id)).toMatchObject({ status: 'bounced', recipients: [{ status: 'bounced' }] });
    expect(await later(id)).toMatchObject([
      {
        type: 'bounced',
        recipient: 'ada@example.org',
        reason: 'unknown_recipient',
        smtp_code: 550,
        enhanced_code: '5.1.1',
        mx_host: 'mx.example.net',
        attempt: null,
      },
    ]);
    expect(await suppressions()).toMatchObject([
      { email: 'ada@example.org', reason: 'hard_bounce', source: 'automatic' },
    ]);
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('is counted, by its sender and its reason', async () => {
    await bring(returnPathTo(deliveryOf(await delivered())), deliveryReport());
    const read = async (by: string) =>
      (await server.api('GET', `/stats/deliverability?by=${by}`, undefined, org.key)).body.data.groups;
    expect(await read('domain')).toMatchObject([{ name: org.domain, sent: 0, bounced: 1 }]);
    expect(await read('reason')).toMatchObject([{ name: 'unknown_recipient', bounced: 1 }]);
  });

  it('is explained as a report: when it came, who wrote it, and what it said', async () => {
    const id = await delivered();
    const before = Date.now();
    await bring(returnPathTo(deliveryOf(id)), deliveryReport());
    const { body } = await server.api('GET', `/emails/${id}/explain`, undefined, org.key);
    const [recipient] = body.data.recipients;
    expect(recipient.problem).toMatchObject({ reason: 'unknown_recipient', responsible: 'recipient' });
    expect(recipient.attempts).toEqual([
      {
        kind: 'report',
        attempt: null,
        created_at: expect.any(String),
        duration_ms: null,
        reported_by: 'relay.example.net',
        outcome: 'bounced',
        reason: 'unknown_recipient',
        rule: expect.stringMatching(/^report-/),
        responsible: 'recipient',
        mx_host: 'mx.example.net',
        tls: null,
        tls_certificate: null,
        detail: '5.1.1 User unknown',
        conversation: [],
        route: null,
        next_attempt_at: null,
      },
    ]);
    const came = Date.parse(recipient.attempts[0].created_at);
    expect(came).toBeGreaterThanOrEqual(before);
    expect(came).toBeLessThanOrEqual(Date.now());
    expect(await later(id)).toMatchObject([{ smtp_code: 550, smtp_message: '5.1.1 User unknown' }]);
  });

  it('changes nothing when it comes again, on whichever process', async () => {
    const id = await delivered();
    const to = returnPathTo(deliveryOf(id));
    const copies = Array.from({ length: 20 }, (_, i) =>
      sender.send(i % 2 === 0 ? inbound.port : second.port, to, deliveryReport()),
    );
    expect((await Promise.all(copies)).every(({ kind }) => kind === 'accepted')).toBe(true);
    await untilRead();
    await bring(to, deliveryReport({ status: '5.2.1', diagnostic: '550 5.2.1 disabled' }));
    expect(await later(id)).toMatchObject([{ type: 'bounced', reason: 'unknown_recipient' }]);
    expect(await suppressions()).toHaveLength(1);
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('of one recipient leaves the others alone', async () => {
    const id = await delivered(['ada@example.org', 'bob@example.org']);
    await bring(returnPathTo(deliveryOf(id, 1)), deliveryReport());
    expect(await email(id)).toMatchObject({
      status: 'bounced',
      recipients: [
        { email: 'ada@example.org', status: 'delivered' },
        { email: 'bob@example.org', status: 'bounced' },
      ],
    });
    expect(await suppressions()).toMatchObject([{ email: 'bob@example.org' }]);
  });

  it.each([
    ['policy', { status: '5.7.1', diagnostic: '550 5.7.1 blocked' }, 'blocked'],
    ['a full mailbox', { status: '5.2.2', diagnostic: '552 5.2.2 full' }, 'mailbox_full'],
    ['a server that gave up', { status: '4.4.1', diagnostic: 'connection timed out' }, 'routing_trouble'],
  ])('for %s suppresses nobody', async (_name, fields, reason) => {
    const id = await delivered();
    await bring(returnPathTo(deliveryOf(id)), deliveryReport(fields));
    expect(await later(id)).toMatchObject([{ type: 'bounced', reason }]);
    expect(await suppressions()).toEqual([]);
  });

  it('is read from its beginning when it returns a mail that is larger than what is kept', async () => {
    const id = await delivered();
    const large = deliveryReport().replace(
      'Subject: Hello',
      `Subject: Hello\r\n\r\n${'x'.repeat(76)}`.padEnd(900_000, 'y\r\n'),
    );
    await bring(returnPathTo(deliveryOf(id)), large);
    expect(await later(id)).toMatchObject([{ type: 'bounced', reason: 'unknown_recipient' }]);
  });

  it('is told to webhooks', async () => {
    const hook = await server.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' }, org.key);
    expect(hook.status).toBe(201);
    const id = await delivered();
    await bring(returnPathTo(deliveryOf(id)), deliveryReport(), complaintReport(null));
    const eventsOf = adHoc<{ event_type: string }>(
      'SELECT event_type FROM webhook_deliveries WHERE email_id = $1 ORDER BY event_id',
    );
    const types = (await server.db.many(eventsOf, [id])).map((row) => row.event_type);
    expect(types).toEqual(['queued', 'delivered', 'bounced', 'complained']);
  });

  it('waits until the delivery itself is settled', async () => {
    const id = await sendLetter(server, org);
    const to = returnPathTo(deliveryOf(id));
    expect(await sender.send(inbound.port, to, deliveryReport())).toMatchObject({ kind: 'accepted' });
    const tries = adHoc<{ tries: number }>('SELECT tries FROM inbound_messages');
    await expect.poll(async () => (await server.db.one(tries)).tries, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await email(id)).toMatchObject({ status: 'queued' });
    await markDelivered(server.db, org.id, id);
    await untilRead();
    expect(await email(id)).toMatchObject({ status: 'bounced' });
  });
});

describe('mail that a canary moves', () => {
  /** As a worker leaves it that sent the mail one way or the other. */
  async function deliveredBy(way: 'old' | 'new'): Promise<string> {
    const id = await delivered();
    const canary = { name: 'off-acme', way, percent: 10 };
    const step = way === 'new' ? 0 : 1;
    const transport = way === 'new' ? 'pool' : 'acme';
    const route = { transport, kind: 'relay', source: null, rule: 1, step, why: '', canary } as const;
    const nothing = { reason: null, rule: null, mxHost: null, tls: null, tlsCertificate: null, detail: null };
    const attempt = {
      attempt: 1,
      atMs: Date.now(),
      durationMs: 1,
      nextAttemptAtMs: null,
      conversation: null,
      evidence: null,
    };
    await appendAttempts(server.db, [
      { ...deliveryOf(id), ...attempt, ...nothing, outcome: 'delivered', route },
    ]);
    return id;
  }

  it('has its late bounces and complaints counted for the way that it took', async () => {
    const [old, moved, spam] = [await deliveredBy('old'), await deliveredBy('new'), await deliveredBy('new')];
    await bring(returnPathTo(deliveryOf(old)), deliveryReport());
    await bring(returnPathTo(deliveryOf(moved)), deliveryReport());
    await bring(`fbl@${INBOUND_HOST}`, complaintReport(referenceOf(deliveryOf(spam))));
    const counts = await server.db.many(
      adHoc(`SELECT canary, provider, way, sum(sent)::int AS sent, sum(bounced)::int AS bounced,
                    sum(complained)::int AS complained
             FROM canary_counts GROUP BY canary, provider, way ORDER BY way`),
    );
    const of = { canary: 'off-acme', provider: 'other', sent: 0 };
    expect(counts).toEqual([
      { ...of, way: 'new', bounced: 1, complained: 1 },
      { ...of, way: 'old', bounced: 1, complained: 0 },
    ]);
  });
});

describe('other reports', () => {
  it('a delay is told once and changes no status', async () => {
    const id = await delivered();
    const delayed = { action: 'delayed', status: '4.4.1', diagnostic: '451 4.4.1 no answer' };
    await bring(returnPathTo(deliveryOf(id)), deliveryReport(delayed), deliveryReport(delayed));
    expect(await later(id)).toMatchObject([{ type: 'deferred', next_attempt_at: null, attempt: null }]);
    expect(await email(id)).toMatchObject({ status: 'delivered', recipients: [{ status: 'delivered' }] });
    await bring(returnPathTo(deliveryOf(id)), deliveryReport());
    expect(await email(id)).toMatchObject({ status: 'bounced' });
  });

  it('relayed, expanded and automatic answers change nothing', async () => {
    const id = await delivered();
    const vacation = 'Auto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nBack on Monday.\r\n';
    const [relayed, expanded] = ['relayed', 'expanded'].map((action) =>
      deliveryReport({ action, status: '2.0.0' }),
    );
    await bring(returnPathTo(deliveryOf(id)), relayed ?? '', expanded ?? '', vacation);
    expect(await later(id)).toEqual([]);
    expect(await inState('kept')).toBe(0);
  });

  it('what nobody understands is kept for the operator', async () => {
    await bring(`postmaster@${INBOUND_HOST}`, 'Subject: Hello\r\n\r\nIs anybody there?\r\n');
    expect(await inState('kept')).toBe(1);
  });
});

describe('a complaint', () => {
  it('counts against the address that the mail left from, and bends its curve down', async () => {
    const id = await delivered();
    const attempt = (number: number, outcome: string, source: string | null) =>
      server.db.exec(
        adHoc(`INSERT INTO attempts (organization_id, email_id, id, position, attempt, duration_ms, created_at, outcome, route)
               VALUES ($1, $2, gen_random_uuid(), 0, $3, 1, now(), $4, jsonb_build_object('source', $5::text))`),
        [org.id, id, number, outcome, source],
      );
    await attempt(1, 'deferred', '192.0.2.1');
    await attempt(2, 'delivered', '192.0.2.8');
    const [yesterday, today, tomorrow] = [-1, 0, 1].map((days) => utcDay(Date.now() + days * 86_400_000));
    const send = (day: string | undefined, mails: number) =>
      server.db.exec(
        adHoc(`INSERT INTO source_days (address, provider, day, used, delivered)
               VALUES ('192.0.2.8', 'other', $1, $2::int, $2::int)`),
        [day, mails],
      );
    await send(yesterday, 50);
    await send(today, 100);
    const curve = [50, 100, 150];
    const allowedTomorrow = async () => {
      const of = { address: '192.0.2.8', provider: 'other', day: tomorrow as string };
      return allowanceAt(curve, stepAfter(curve, await daysBefore(server.db, of, yesterday as string)));
    };
    expect(await allowedTomorrow()).toBe(150);
    await bring(`fbl@${INBOUND_HOST}`, complaintReport(referenceOf(deliveryOf(id))));
    const complained = adHoc<{ address: string; complained: number }>(
      'SELECT address, complained FROM source_days WHERE complained > 0',
    );
    expect(await server.db.many(complained)).toEqual([{ address: '192.0.2.8', complained: 1 }]);
    expect(await allowedTomorrow()).toBe(50);
  });

  it('finds its delivery by the reference, suppresses the recipient and leaves the status', async () => {
    const id = await delivered(['ada@example.org', 'bob@example.org']);
    const report = complaintReport(referenceOf(deliveryOf(id, 1)));
    await bring(`fbl@${INBOUND_HOST}`, report, report);
    await bring(`abuse@${INBOUND_HOST}`, report);
    expect(await later(id)).toMatchObject([
      { type: 'complained', recipient: 'bob@example.org', reason: 'abuse' },
    ]);
    expect(await email(id)).toMatchObject({ status: 'delivered' });
    expect(await suppressions()).toMatchObject([
      { email: 'bob@example.org', reason: 'complaint', source: 'automatic' },
    ]);
    expect(await countsDiffer(server.db)).toEqual([]);
  });

  it('counts its email once, however many recipients complain', async () => {
    const id = await delivered(['ada@example.org', 'bob@example.org', 'eve@example.org']);
    const [ada, bob, eve] = [0, 1, 2].map((at) => complaintReport(referenceOf(deliveryOf(id, at)))) as [
      string,
      string,
      string,
    ];
    await bring(`fbl@${INBOUND_HOST}`, ada, bob);
    await bring(`fbl@${INBOUND_HOST}`, eve);
    const { body } = await server.api('GET', '/stats', undefined, org.key);
    const listed = await server.api('GET', '/emails?state=complained', undefined, org.key);
    expect(listed.body.pagination.total_count).toBe(1);
    expect(body.data.totals.complained).toBe(1);
  });

  it('that says it is no spam suppresses nobody', async () => {
    const id = await delivered();
    await bring(`fbl@${INBOUND_HOST}`, complaintReport(referenceOf(deliveryOf(id)), 'not-spam'));
    expect(await later(id)).toEqual([]);
    expect(await suppressions()).toEqual([]);
  });

  it('with a reference that we did not sign is kept, and believed by nobody', async () => {
    const id = await delivered();
    const forged = referenceOf(deliveryOf(id)).replace(/.$/, (end) => (end === '0' ? '1' : '0'));
    await bring(`fbl@${INBOUND_HOST}`, complaintReport(forged), complaintReport(null));
    expect(await later(id)).toEqual([]);
    expect(await suppressions()).toEqual([]);
    expect(await inState('kept')).toBe(2);
  });

  it('still counts when bounces no longer would', async () => {
    const id = await delivered();
    const old = referenceOf(deliveryOf(id), Date.now() - 90 * 86_400_000);
    await bring(`fbl@${INBOUND_HOST}`, complaintReport(old));
    expect(await later(id)).toMatchObject([{ type: 'complained' }]);
  });
});

// Last: the counters by the hour keep what is removed, and no longer equal a full count then.
it('a bounce of an email that is no longer there is forgotten', async () => {
  const id = await delivered();
  const to = returnPathTo(deliveryOf(id));
  const allTime = { fromMs: 0, beforeMs: Date.now() + 60_000 };
  expect(await server.db.transaction((tx) => removeEmailsStep(tx, org.id, allTime, Date.now()))).toBe(1);
  await bring(to, deliveryReport());
  expect(await inState('kept')).toBe(0);
  expect(await suppressions()).toEqual([]);
});

describe('mail to unsubscribe', () => {
  const address = `unsubscribe@${INBOUND_HOST}`;
  const tokenOf = (emailId: string, key = TRACKING_KEY) =>
    encodeUnsubscribeToken(
      { organizationId: org.id, emailId, address: addressOf('ada@example.org').email, group: 'news' },
      key,
    );
  const letterWith = (subject: string, ...more: string[]) =>
    ['From: somebody@elsewhere.example', `Subject: ${subject}`, ...more, '', ''].join('\r\n');

  it('with the token of a mail stops mail of its group, once, from any sender', async () => {
    const id = await delivered();
    const subject = `unsubscribe:${tokenOf(id)}`;
    await bring(address, letterWith(subject), letterWith(`RE: ${subject}`));
    expect(await suppressions()).toMatchObject([
      { email: 'ada@example.org', reason: 'unsubscribe', unsubscribe_group: 'news', email_id: id },
    ]);
    expect(await later(id)).toMatchObject([{ type: 'unsubscribed', recipient: 'ada@example.org' }]);
    expect(await inState('kept')).toBe(0);
  });

  it('without a token of ours changes nothing, and is kept for the operator', async () => {
    const id = await delivered();
    const forged = tokenOf(id, Buffer.alloc(32, 9));
    await bring(address, letterWith(`unsubscribe:${forged}`), letterWith('stop writing to ada@example.org'));
    expect(await suppressions()).toEqual([]);
    expect(await inState('kept')).toBe(2);
  });

  it('is not what a bounce with the token in its subject is', async () => {
    const id = await delivered();
    await bring(
      returnPathTo(deliveryOf(id)),
      letterWith(`unsubscribe:${tokenOf(id)}`, 'Auto-Submitted: auto-replied'),
    );
    expect(await suppressions()).toEqual([]);
  });
});
