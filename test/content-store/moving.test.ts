import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/durations.ts';
import { loadMailFacts } from '../../src/webhooks/dispatch/load-facts.ts';
import type { WebhookClaim } from '../../src/webhooks/queue.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { contentChores, contentRows, settleAs } from '../support/content-store.ts';
import { sendLetter } from '../support/emails.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';

/** A Wednesday; its week begins on Monday, 2 March 2026. */
const ACCEPTED = Date.parse('2026-03-04T12:00:00Z');
const clock = { ms: ACCEPTED, nowMs: () => clock.ms };

let sink: S3Sink;
let server: TestApi;
let chores: ReturnType<typeof contentChores>;
beforeAll(async () => {
  sink = await startS3Sink('mail/content');
  server = await startApi({ clock, env: sink.env });
  chores = contentChores(server.db, clock, sink);
});
afterAll(async () => {
  await server.stop();
  await sink.stop();
});

const file = { filename: 'bill.txt', content: Buffer.from('Pay 5.').toString('base64') };
const get = (org: TestOrganization, path: string) => server.api('GET', path, undefined, org.key);

let org: TestOrganization;
beforeEach(async () => {
  sink.fault = () => undefined;
  clock.ms = ACCEPTED;
  org = await server.createOrganization();
});

async function delivered(changes: Record<string, unknown> = {}): Promise<string> {
  const id = await sendLetter(server, org, changes);
  await settleAs(server.db, org, id, 'delivered', clock.ms);
  return id;
}

const objectsOf = (id: string) => [...sink.objects.keys()].filter((key) => key.includes(id));

describe('content of mail that is final and old', () => {
  it.each([
    ['small', 1],
    ['large', 100_000],
  ])('is read from the bucket as it was, with its headers and %s files', async (_size, times) => {
    const content = Buffer.from('Pay 5.'.repeat(times)).toString('base64');
    const attachments = [{ ...file, content }];
    const html = `<p>${'Grüße '.repeat(times)}</p>`;
    const id = await delivered({ html, headers: { 'X-Order': '7' }, attachments });
    const before = (await get(org, `/emails/${id}/content`)).body;
    const bytes = (await get(org, `/emails/${id}/attachments/0`)).body;
    expect(before.data).toMatchObject({ html, attachments: [{ size: 6 * times }] });
    clock.ms += 2 * HOUR_MS;
    await chores.move();
    expect(objectsOf(id)).toEqual([
      expect.stringMatching(`^mail/content/${org.id}/20260302/${id}\\.[0-9a-f-]{36}$`),
    ]);
    expect((await get(org, `/emails/${id}/content`)).body).toEqual(before);
    expect((await get(org, `/emails/${id}/attachments/0`)).body).toEqual(bytes);
    expect((await get(org, `/emails/${id}/attachments/1`)).status).toBe(404);
    expect((await contentRows(server.db)).email_attachments).toBe(0);
  });

  it('is rendered again where it came from a template, to the digit of its data', async () => {
    const template = { name: 'T', subject: 'S', html: '<p>{{name}} {{n}}</p>' };
    const { body } = await server.api('POST', '/templates', template, org.key);
    const data = { name: 'Ada', n: 12345678.5 };
    const id = await delivered({ text: undefined, template_id: body.data.id, template_data: data });
    const before = (await get(org, `/emails/${id}/content`)).body;
    clock.ms += 2 * HOUR_MS;
    await chores.move();
    expect(objectsOf(id)).toHaveLength(1);
    expect((await get(org, `/emails/${id}/content`)).body).toEqual(before);
    expect(before.data.html).toBe('<p>Ada 12345678.5</p>');
    const sends = await get(org, `/templates/${body.data.id}/sends`);
    expect(sends.body.data[0]).toMatchObject({ email_id: id, template_data: data });
  });

  it.each([
    ['small', 1],
    // Read from PostgreSQL in several pieces.
    ['large', 100_000],
  ])('is downloaded byte for byte where it was submitted whole and is %s', async (_size, times) => {
    const id = await delivered();
    const mime = Buffer.from(
      `Message-ID: <own@example.org>\r\nSubject: S\r\n\r\n${'\x80\xff body\r\n'.repeat(times)}`,
      'latin1',
    );
    await server.db.exec(
      adHoc('UPDATE email_contents SET mime = $2, html = NULL, text = NULL WHERE email_id = $1'),
      [id, mime],
    );
    const raw = async () => {
      const headers = { authorization: `Bearer ${org.key}` };
      const response = await fetch(`${server.url}/api/v1/emails/${id}/raw`, { headers });
      return Buffer.from(await response.arrayBuffer());
    };
    expect((await raw()).equals(mime)).toBe(true);
    clock.ms += 2 * HOUR_MS;
    await chores.move();
    expect(objectsOf(id)).toHaveLength(1);
    expect((await raw()).equals(mime)).toBe(true);
    const kept = adHoc<{ message_id: string }>('SELECT message_id FROM moved_contents WHERE email_id = $1');
    expect(await server.db.one(kept, [id])).toEqual({ message_id: '<own@example.org>' });
  });

  it('cannot be read by who has the bucket alone', async () => {
    const id = await delivered({ text: 'A very private line that stands there' });
    clock.ms += 2 * HOUR_MS;
    await chores.move();
    const [key = ''] = objectsOf(id);
    expect(sink.objects.get(key)?.includes('private')).toBe(false);
  });

  it('stays where it is while the mail is young', async () => {
    const id = await delivered();
    clock.ms += HOUR_MS - 1;
    await chores.move();
    expect(objectsOf(id)).toEqual([]);
  });

  it('stays where it is while the mail is to be sent, and goes a day after it was', async () => {
    const id = await sendLetter(server, org);
    clock.ms += 14 * DAY_MS;
    await chores.move();
    expect(objectsOf(id)).toEqual([]);
    await settleAs(server.db, org, id, 'delivered', clock.ms);
    await chores.move();
    expect(objectsOf(id)).toEqual([]);
    clock.ms += DAY_MS;
    await chores.move();
    expect(objectsOf(id)).toHaveLength(1);
  });

  it('is moved of all of many, of several organizations, and once', async () => {
    const other = await server.createOrganization();
    const ids = await Promise.all(Array.from({ length: 120 }, () => delivered()));
    const theirs = await sendLetter(server, other);
    await settleAs(server.db, other, theirs, 'delivered', clock.ms);
    clock.ms += 2 * HOUR_MS;
    await Promise.all([chores.move(), chores.another().move()]);
    await chores.remove();
    for (const id of [...ids, theirs]) expect(objectsOf(id)).toHaveLength(1);
    expect(await contentRows(server.db)).toMatchObject({ object_removals: 0 });
  });

  it('leaves no bytes on the disk when all of a week is moved', async () => {
    await delivered({ html: `<p>${'long '.repeat(20_000)}</p>`, attachments: [file] });
    clock.ms += 14 * DAY_MS;
    await chores.another().move();
    const size = adHoc<{ bytes: number }>(
      `SELECT pg_table_size('email_contents_p20260302') + pg_table_size('email_attachments_p20260302') AS bytes`,
    );
    expect((await contentRows(server.db)).email_contents).toBe(0);
    // An index of no entries has a page, and that of what is out of line another.
    expect((await server.db.one(size)).bytes).toBeLessThanOrEqual(16_384);
  });
});

it('webhooks in other services’ words tell the Message-ID of a message whose content was moved', async () => {
  const id = await delivered();
  const mime = Buffer.from('Message-ID: <own@example.org>\r\nSubject: S\r\n\r\nbody\r\n');
  await server.db.exec(adHoc('UPDATE email_contents SET mime = $2, text = NULL WHERE email_id = $1'), [
    id,
    mime,
  ]);
  const event = adHoc<{ id: string }>('SELECT id FROM events WHERE email_id = $1 LIMIT 1');
  const claim = { organizationId: org.id, emailId: id, eventId: (await server.db.one(event, [id])).id };
  const asked = [{ claim: claim as WebhookClaim, format: 'sendgrid' as const }];
  const messageIdInFacts = async () => {
    const facts = await loadMailFacts(server.db, asked, { meaningOf: () => null, provesDead: () => false });
    return facts.get(claim.eventId)?.messageId;
  };
  expect(await messageIdInFacts()).toBe('<own@example.org>');
  clock.ms += 2 * HOUR_MS;
  await chores.another().move();
  expect(objectsOf(id)).toHaveLength(1);
  expect(await messageIdInFacts()).toBe('<own@example.org>');
});
