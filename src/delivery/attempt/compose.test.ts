import { describe, expect, it } from 'vitest';
import { address, mailbox } from '../../../test/support/addresses.ts';
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import { writingWire } from '../../protocols/message/compose.ts';
import { signedFields } from '../../protocols/message/dkim.ts';
import { decodeReturnPath, readReference } from '../../protocols/message/return-path.ts';
import type { HeaderText } from '../../protocols/message/unsafe-text.ts';
import { newId, uuidv7 } from '../../runtime/ids.ts';
import { atOnce } from '../../runtime/sliced-work.ts';
import { composeDelivery, linksFor } from './compose.ts';

const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const composed = (...given: Parameters<typeof composeDelivery>) => atOnce(composeDelivery(...given));
const key = Buffer.from('a key');
const returnPath = { key, host: 'mail.example.org' };
const links = { key, publicUrl: 'https://mail.example.org' };
const NOW_MS = Date.UTC(2026, 10, 15);
const organizationId = newId('org');
const emailId = uuidv7(NOW_MS);

function deliveryTo(position: number, firstAttemptAtMs = NOW_MS) {
  const expiresAtMs = NOW_MS + 86_400_000;
  const queue = {
    domain: 'example.net',
    priority: 1,
    attempt: 1,
    firstAttemptAtMs,
    expiresAtMs,
    size: 10,
    dueAtMs: 0,
    waitedMs: 0,
  };
  return { organizationId, emailId, position, ...queue };
}

function email(changes: Partial<DeliverableEmail> = {}): DeliverableEmail {
  return {
    id: emailId,
    createdAtMs: NOW_MS,
    scheduledAtMs: null,
    from: mailbox('shop@example.org'),
    recipient: address('ada@example.net').email,
    addresses: { to: [mailbox('ada@example.net')], cc: [], bcc: [], reply_to: null },
    options: {},
    subject: 'Hello',
    html: null,
    mime: null,
    text: 'Hello',
    template_id: null,
    template_version: null,
    built_with: null,
    locale: null,
    template_data: null,
    text_from_html: false,
    headers: {},
    attachments: [],
    trackOpens: false,
    unsubscribe: false,
    tags: null,
    stream: null,
    keyId: null,
    unsubscribeGroup: null,
    withdrawnFor: null,
    ...changes,
  };
}

function compose(position = 0, changes: Partial<DeliverableEmail> = {}) {
  const { envelope, message } = composed(deliveryTo(position), email(changes), returnPath, links);
  const value = (name: string) =>
    message.headers
      .filter((field) => field.startsWith(`${name}: `))
      .map((field) => field.slice(name.length + 2));
  return { envelope, headers: message.headers, value };
}

it('omits pixel and unsubscribe link where recipients cannot reach this installation', async () => {
  const tracked = email({ html: '<p>Hi</p>', trackOpens: true, unsubscribe: true });
  const keys = { at: () => key };
  expect(await linksFor(tracked, { organizationId }, { keys, publicUrl: null })).toBeNull();
  const { message } = composed(deliveryTo(0), tracked, returnPath, null);
  expect(toWire(message).toString()).not.toMatch(/<img|List-Unsubscribe/);
});

it('uses the link host of the sender’s domain, if there is one', async () => {
  const { publicUrl } = links;
  const host = { name: 'links.example.org', url: 'https://links.example.org' };
  const hostOf = async (_organization: string, domain: string) => (domain === 'example.org' ? host : null);
  const made = { keys: { at: () => key }, publicUrl, hostOf };
  const tracked = { html: '<a href="https://shop.example/">x</a>', trackOpens: true };
  const wireOf = async (from: string) => {
    const sent = email({ ...tracked, from: mailbox(from) });
    const found = await linksFor(sent, { organizationId }, made);
    const wire = toWire(composed(deliveryTo(0), sent, returnPath, found).message).toString();
    return wire.replaceAll('=\r\n', '');
  };
  expect(await wireOf('shop@example.org')).toMatch(/https:\/\/links\.example\.org\/t\/o\//);
  expect(await wireOf('shop@example.net')).toMatch(/https:\/\/mail\.example\.org\/t\/o\//);
});

it('looks up no link host for mail without links', async () => {
  const hostOf = () => Promise.reject(new Error('nobody asked'));
  const made = { keys: { at: () => key }, publicUrl: 'https://mail.example.org', hostOf };
  expect(await linksFor(email(), { organizationId }, made)).toBeNull();
});

describe('outgoing mail', () => {
  it('contains the reference of its return path, so that a complaint can be traced without the envelope', () => {
    const { envelope, value } = compose(3);
    const [reference = ''] = value('X-Postrider-Ref');
    expect(envelope.from).toBe(`b+${reference}@mail.example.org`);
    const delivery = { organizationId, emailId, position: 3 };
    expect(decodeReturnPath(envelope.from, key, 'mail.example.org')).toMatchObject(delivery);
    expect(readReference(reference, key)).toMatchObject(delivery);
  });

  it.each([
    ['ada@example.net', 'shop@example.org', null, 'other_recipient', true],
    ['zoë@example.net', 'shop@example.org', null, 'recipient', false],
    ['ada@example.net', 'käse@example.org', null, 'sender', false],
    ['ada@example.net', 'shop@example.org', mailbox('käse@example.org'), 'reply_to', false],
  ])(
    'to %s from %s, answers to %j, needs SMTPUTF8 for the %s',
    (recipient, from, reply_to, whose, hasAsciiForm) => {
      const to = [mailbox('josé@example.net')];
      const sent = email({
        recipient: address(recipient).email,
        from: mailbox(from),
        addresses: { to, cc: [], bcc: [], reply_to },
      });
      const own = composed(deliveryTo(0), sent, returnPath, links);
      expect(own).toMatchObject({ envelope: { smtpUtf8: true }, utf8Address: { whose }, hasAsciiForm });
      const ascii = composed(deliveryTo(0), sent, returnPath, links, 'ascii');
      expect(ascii.envelope.smtpUtf8).toBe(!hasAsciiForm);
    },
  );

  it('is the same at every attempt, and differs between recipients only in the reference', () => {
    expect(compose(1).headers).toEqual(compose(1).headers);
    const others = (position: number) =>
      compose(position).headers.filter((field) => !field.startsWith('X-Postrider'));
    expect(others(0)).toEqual(others(1));
  });

  it('has the date of its first attempt, however long ago it was accepted', () => {
    const accepted = email({ createdAtMs: NOW_MS - 3 * 86_400_000 });
    const { message, dateMs } = composed(deliveryTo(0), accepted, returnPath, links);
    expect(message.headers).toContain('Date: Sun, 15 Nov 2026 00:00:00 +0000');
    expect(dateMs).toBe(NOW_MS);
  });

  it('is signed over its Feedback-ID but not over the reference, which differs between recipients', () => {
    const { names } = signedFields(compose().headers);
    expect(names).toContain('Feedback-ID');
    expect(names).not.toContain('X-Postrider-Ref');
  });

  it('has its template in its Feedback-ID, and last the sender in 5 to 15 characters', () => {
    const sender = organizationId.slice('org_'.length);
    expect(sender).toMatch(/^[a-z0-9]{5,15}$/);
    expect(compose().value('Feedback-ID')).toEqual([`single:transactional:example.org:${sender}`]);
    const { value } = compose(0, { template_id: 'tmpl_1', template_version: 1 });
    expect(value('Feedback-ID')).toEqual([`tmpl_1:transactional:example.org:${sender}`]);
  });

  it('has the kind of mail in its Feedback-ID, if the kind has a name', () => {
    const of = (changes: Partial<DeliverableEmail>) =>
      compose(0, changes).value('Feedback-ID')[0]?.split(':')[1];
    expect(of({ unsubscribe: true, unsubscribeGroup: 'news' })).toBe('news');
    expect(of({ unsubscribe: true })).toBe('default');
    expect(of({})).toBe('transactional');
  });

  it('has its stream and the campaign in its Feedback-ID', () => {
    const of = (stream: string, changes: Partial<DeliverableEmail> = {}) => {
      return compose(0, { stream, ...changes })
        .value('Feedback-ID')[0]
        ?.split(':')
        .slice(0, 2);
    };
    expect(of('bulk')).toEqual(['single', 'bulk']);
    expect(of('bulk', { unsubscribe: true, unsubscribeGroup: 'bulk' })).toEqual(['single', 'bulk']);
    expect(of('bulk', { unsubscribe: true, unsubscribeGroup: 'spring' })).toEqual(['spring', 'bulk']);
    expect(of('bulk', { unsubscribeGroup: 'spring', template_id: 'tmpl_1' })).toEqual(['tmpl_1', 'bulk']);
  });

  it('has four parts in its Feedback-ID whatever text a tag names as its stream', () => {
    expect(compose(0, { stream: 'a:b:ü' }).value('Feedback-ID')[0]?.split(':')).toHaveLength(4);
  });

  describe('with a Feedback-ID of the sender', () => {
    const sender = organizationId.slice('org_'.length);
    const feedbackIds = (changes: Partial<DeliverableEmail>) =>
      compose(0, changes).headers.filter((field) => /^feedback-id\b/i.test(field));
    const submitted = (field: string) => Buffer.from(`${field}\r\nFrom: shop@example.org\r\n\r\nHello\r\n`);

    it.each([
      ['spring:mail:shop:another-tenant', 'spring:mail:shop'],
      ['mine:another-tenant', 'mine'],
      ['a:b:c:d:e:another-tenant', 'a:b:c'],
      [' a : b:another-tenant', 'a:b'],
      ['another-tenant', 'single:transactional:example.org'],
      ['::another-tenant', 'single:transactional:example.org'],
      ['Grüße an alle:another-tenant', 'Greanalle'],
    ])('of %j keeps the first three parts, and replaces the last part with ours', (given, kept) => {
      expect(feedbackIds({ headers: { 'feedback-id': given as HeaderText } })).toEqual([
        `Feedback-ID: ${kept}:${sender}`,
      ]);
      expect(feedbackIds({ mime: submitted(`Feedback-ID: ${given}`) })).toEqual([
        `Feedback-ID: ${kept}:${sender}`,
      ]);
    });

    it('keeps only the first if a submitted message has several, and replaces its last part', () => {
      const odd = 'FEEDBACK-ID : a:b\r\n\t:c:another-tenant\r\nFeedback-ID: x:y:z:third-tenant';
      expect(feedbackIds({ mime: submitted(odd) })).toEqual([`Feedback-ID: a:b:c:${sender}`]);
    });
  });
});
