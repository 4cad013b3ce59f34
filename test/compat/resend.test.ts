/** What applications that use Resend do: its own client against a real API, and what arrives in the inbox. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createElement } from 'react';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inboxOf } from '../support/inbox.ts';
import { type ResendFixture, startResend } from '../support/resend.ts';
import { until } from '../support/until.ts';

let fixture: ResendFixture;

beforeAll(async () => {
  fixture = await startResend();
});
afterAll(() => fixture.stop());

/** Once it says this. */
const lastEvent = (id: string, wanted: string) =>
  until(
    async () => (await fixture.resend.emails.get(id)).data,
    (email) => email?.last_event === wanted,
  );

describe('emails.send', () => {
  it('sends html, with a text made from it', async () => {
    const { server, org, resend, letter } = fixture;
    const { data, error, headers } = await resend.emails.send(letter());
    expect(error).toBeNull();
    expect(data?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).toMatchObject({
      'ratelimit-limit': '1000000',
      'ratelimit-policy': '1000000;w=60',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
    const message = await inboxOf(server, org.key, 'ada@example.org');
    expect(message).toMatchObject({ subject: 'Your receipt', email_id: data?.id });
    expect(message.html).toContain('<p>Thank you, <b>Ada</b>.</p>');
    expect(message.text).toContain('Thank you, Ada.');
  });

  it('makes no text where the text is empty', async () => {
    const { server, org, send } = fixture;
    await send({ to: 'html-only@example.org', text: '' });
    const message = await inboxOf(server, org.key, 'html-only@example.org');
    expect([message.html, message.text]).toEqual([expect.stringContaining('Thank you'), null]);
  });

  it('sends a React element', async () => {
    const { server, org, send } = fixture;
    const react = createElement('p', null, 'Rendered for ', createElement('i', null, 'Ada'));
    await send({ to: 'react@example.org', html: undefined, react });
    const message = await inboxOf(server, org.key, 'react@example.org');
    expect(message.html).toContain('Rendered for ');
    expect(message.html).toContain('<i>Ada</i>');
  });

  it('sends everything else that an email can have', async () => {
    const { server, org, resend, send } = fixture;
    const id = await send({
      to: ['Ada <many-1@example.org>', '"Hopper, Grace" <many-2@example.org>'],
      cc: 'cc@example.org',
      bcc: ['bcc@example.org'],
      replyTo: ['Support <support@example.org>', 'second@example.org'],
      text: 'Thank you.',
      headers: { 'X-Entity-Ref-ID': '42' },
      tags: [{ name: 'kind', value: 'receipt' }],
      attachments: [
        { filename: 'receipt.pdf', content: Buffer.from('%PDF-1.7') },
        { filename: 'logo.png', content: Buffer.from('png').toString('base64'), contentId: 'logo' },
      ],
    });
    const { body } = await server.api('GET', `/emails/${id}`, undefined, org.key);
    expect(body.data).toMatchObject({
      from: { email: `hello@${org.domain}`, name: 'The Shop' },
      to: [
        { email: 'many-1@example.org', name: 'Ada' },
        { email: 'many-2@example.org', name: 'Hopper, Grace' },
      ],
      tags: [{ name: 'kind', value: 'receipt' }],
    });
    const message = await inboxOf(server, org.key, 'bcc@example.org');
    expect(message.headers).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'X-Entity-Ref-ID', value: '42' })]),
    );
    expect(JSON.stringify(message.headers)).not.toContain('bcc@example.org');
    expect(message.attachments).toMatchObject([
      { filename: 'logo.png', content_type: 'image/png' },
      { filename: 'receipt.pdf', content_type: 'application/pdf' },
    ]);
    const { data } = await resend.emails.get(id);
    expect(data).toMatchObject({
      object: 'email',
      id,
      message_id: `<${id}@${org.domain}>`,
      from: `The Shop <hello@${org.domain}>`,
      to: ['Ada <many-1@example.org>', '"Hopper, Grace" <many-2@example.org>'],
      cc: ['cc@example.org'],
      bcc: ['bcc@example.org'],
      reply_to: ['Support <support@example.org>', 'second@example.org'],
      subject: 'Your receipt',
      html: '<p>Thank you, <b>Ada</b>.</p>',
      text: 'Thank you.',
      scheduled_at: null,
      tags: [{ name: 'kind', value: 'receipt' }],
    });
    const { data: logo } = await resend.emails.attachments.get({ emailId: id, id: '1' });
    expect(logo).toMatchObject({ object: 'attachment', filename: 'logo.png' });
    expect((await resend.emails.attachments.get({ emailId: id, id: '2' })).error?.name).toBe('not_found');
    const { data: files } = await resend.emails.attachments.list({ emailId: id });
    expect(files).toMatchObject({
      object: 'list',
      has_more: false,
      data: [
        {
          filename: 'receipt.pdf',
          size: 8,
          content_type: 'application/pdf',
          content_disposition: 'attachment',
        },
        { filename: 'logo.png', size: 3, content_disposition: 'inline', content_id: 'logo' },
      ],
    });
  });

  it('takes a Buffer as older clients write it, and ignores fields that it does not know', async () => {
    const { server, org } = fixture;
    const body = {
      from: `hello@${org.domain}`,
      to: ['older@example.org'],
      subject: 'Older',
      text: 'x',
      topic_id: null,
      unheard: 'of',
      attachments: [{ filename: 'a.txt', content: Buffer.from('a file') }],
    };
    const response = await fetch(`${server.url}/compat/resend/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toEqual([200, { id: expect.any(String) }]);
    const message = await inboxOf(server, org.key, 'older@example.org');
    expect(message.attachments).toMatchObject([{ filename: 'a.txt', size: 6 }]);
  });

  it('fetches an attachment that is given by its path', async () => {
    const { server, org, send } = fixture;
    const files = createServer((_, response) => response.end('%PDF-1.7')).listen(0, '127.0.0.1');
    await once(files, 'listening');
    const { port } = files.address() as AddressInfo;
    await send({ to: 'path@example.org', attachments: [{ path: `http://127.0.0.1:${port}/terms.pdf` }] });
    files.close();
    const message = await inboxOf(server, org.key, 'path@example.org');
    expect(message.attachments).toMatchObject([
      { filename: 'terms.pdf', content_type: 'application/pdf', size: 8 },
    ]);
  });

  it('does the same request once', async () => {
    const { resend, letter } = fixture;
    const twice = () =>
      resend.emails.send(letter({ to: 'once@example.org' }), { idempotencyKey: 'order-48' });
    const [first, second] = [await twice(), await twice()];
    expect(first.error).toBeNull();
    expect(second.data).toEqual(first.data);
    expect(second.headers?.['idempotent-replayed']).toBe('true');
  });
});

describe('a scheduled email', () => {
  const HOUR_MS = 3_600_000;

  it('is sent when it was asked for in English, and can be changed and cancelled until then', async () => {
    const { resend, send } = fixture;
    const beforeMs = Date.now();
    const id = await send({ scheduledAt: 'in 1 hour' });
    const { data } = await resend.emails.get(id);
    expect(data?.last_event).toBe('scheduled');
    const atMs = Date.parse(data?.scheduled_at ?? '');
    expect(atMs).toBeGreaterThanOrEqual(beforeMs + HOUR_MS);
    expect(atMs).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    const scheduledAt = new Date(beforeMs + 48 * HOUR_MS).toISOString();
    expect((await resend.emails.update({ id, scheduledAt })).data).toEqual({ object: 'email', id });
    expect((await resend.emails.get(id)).data?.scheduled_at).toBe(scheduledAt);
    expect((await resend.emails.cancel(id)).data).toEqual({ object: 'email', id });
    expect((await resend.emails.get(id)).data?.last_event).toBe('canceled');
    expect((await resend.emails.cancel(id)).error).toMatchObject({
      statusCode: 422,
      name: 'validation_error',
      message:
        'Only a scheduled email can be cancelled. This email was never scheduled, or is already being sent.',
    });
  });
});

describe('last_event', () => {
  it.each([
    ['delivered', 'delivered@simulator.test'],
    ['bounced', 'bounced@simulator.test'],
    ['delivery_delayed', 'deferred@simulator.test'],
  ])('becomes %s', async (event, to) => {
    const { resend, send } = fixture;
    const id = await send({ to });
    expect(await lastEvent(id, event)).toMatchObject({ id, last_event: event });
    const { data } = await resend.emails.list({ limit: 1 });
    expect(data?.data).toMatchObject([{ id, last_event: event }]);
  });

  it('stays queued while a hold keeps the email, because Resend has no holds', async () => {
    const { server, org, resend, send } = fixture;
    const reason = 'Wrong prices.';
    const placed = await server.api('POST', '/holds', { scope: 'organization', reason }, org.key);
    const id = await send();
    await until(
      async () => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data.events,
      (events) => events.at(-1).type === 'held',
    );
    expect((await resend.emails.get(id)).data?.last_event).toBe('queued');
    const { data } = await resend.emails.list({ limit: 1 });
    expect(data?.data).toMatchObject([{ id, last_event: 'queued' }]);
    await server.api('POST', `/holds/${placed.body.data.id}/release`, {}, org.key);
  });
});

describe('emails.list', () => {
  it('pages through all emails, back and forth', async () => {
    const { server, client, letter } = fixture;
    const other = await server.createOrganization('Lister');
    const own = client(other.key);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { data } = await own.emails.send(letter({ from: `a@${other.domain}`, subject: `No. ${n}` }));
      ids.unshift(data?.id ?? '');
    }
    const page = async (options: object) => {
      const { data } = await own.emails.list(options as { limit: number });
      return [data?.data.map(({ id }) => ids.indexOf(id)), data?.has_more];
    };
    expect(await page({})).toEqual([[0, 1, 2, 3, 4], false]);
    expect(await page({ limit: 2 })).toEqual([[0, 1], true]);
    expect(await page({ limit: 2, after: ids[1] })).toEqual([[2, 3], true]);
    expect(await page({ limit: 2, after: ids[3] })).toEqual([[4], false]);
    expect(await page({ limit: 2, before: ids[4] })).toEqual([[2, 3], true]);
    expect(await page({ limit: 2, before: ids[2] })).toEqual([[0, 1], false]);
    const { data } = await own.emails.list({ limit: 1 });
    expect(data).toMatchObject({
      object: 'list',
      data: [{ subject: 'No. 4', cc: null, scheduled_at: null }],
    });
  });

  it('shows a key that is tied to a domain the mail of that domain alone', async () => {
    const { server, client, letter } = fixture;
    const other = await server.createOrganization('Tied');
    const tied = client(await server.createKey(other.id, { domain: 'tied.test' }));
    await client(other.key).emails.send(letter({ from: `a@${other.domain}` }));
    const { data } = await tied.emails.send(letter({ from: 'a@tied.test' }));
    const list = await tied.emails.list();
    expect(list.data?.data.map(({ id }) => id)).toEqual([data?.id]);
  });
});
