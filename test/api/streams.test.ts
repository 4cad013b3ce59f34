/** Streams: their separate settings, and that a newsletter does not affect sign-in codes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization('First');
  other = await server.createOrganization('Second');
});
afterAll(() => server.stop());

const api = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);
const send = (changes: Record<string, unknown>) => api('POST', '/emails/send', letter(org, changes));
async function sent(changes: Record<string, unknown>): Promise<string> {
  const { status, body } = await send(changes);
  expect([status, body]).toMatchObject([201, {}]);
  return body.data.message_id;
}
const STOPPED = 'RECIPIENTS_SUPPRESSED';
const emailOf = async (id: string) => (await api('GET', `/emails/${id}`)).body.data;
const idsIn = async (stream: string): Promise<string[]> =>
  (await api('GET', `/emails?stream=${stream}`)).body.data.map((one: { id: string }) => one.id);

/** As earlier versions stored mail. */
async function storeStreamAsTag(ids: readonly string[]): Promise<void> {
  const text = `UPDATE emails SET stream = NULL, tags = coalesce(tags, '[]') || jsonb_build_array(
                  jsonb_build_object('name', 'message-stream', 'value', stream)) WHERE id = ANY ($1::uuid[])`;
  await server.db.exec(adHoc(text), [ids]);
}

describe('streams', () => {
  it('are two for everybody, and those of one’s own', async () => {
    expect((await api('POST', '/streams', { name: 'news', priority: 'low' })).body.data).toMatchObject({
      ...{ name: 'news', description: null, priority: 'low', built_in: false },
      created_at: expect.any(String),
    });
    const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
    expect(names((await api('GET', '/streams')).body)).toEqual(['transactional', 'bulk', 'news']);
    expect(names((await api('GET', '/streams', undefined, other.key)).body)).toEqual([
      ...['transactional', 'bulk'],
    ]);
    expect((await api('GET', '/streams/news', undefined, other.key)).status).toBe(404);
    expect((await api('POST', '/streams', { name: 'news' })).status).toBe(409);
    expect((await api('POST', '/streams', { name: 'bulk' })).status).toBe(409);
  });

  it('may have limits of a minute and of an hour, which are set, changed and taken away', async () => {
    const { data } = (await api('POST', '/streams', { name: 'slow', messages_per_minute: 60 })).body;
    expect(data).toMatchObject({ messages_per_minute: 60, messages_per_hour: null });
    const changed = async (change: object) => (await api('PATCH', '/streams/slow', change)).body.data;
    expect(await changed({ messages_per_hour: 900 })).toMatchObject({
      ...{ messages_per_minute: 60, messages_per_hour: 900 },
    });
    expect(await changed({ messages_per_minute: null })).toMatchObject({
      ...{ messages_per_minute: null, messages_per_hour: 900 },
    });
    const wrong = await api('PATCH', '/streams/slow', { messages_per_hour: 0 });
    expect([wrong.status, wrong.body.error.details]).toMatchObject([400, [{ field: 'messages_per_hour' }]]);
    const foreign = await api('PATCH', '/streams/slow', { messages_per_hour: 1 }, other.key);
    expect(foreign.status).toBe(404);
    await api('DELETE', '/streams/slow');
  });

  it('are changed but for the one that mail has which names none, and removed but for those of everybody', async () => {
    expect((await api('PATCH', '/streams/bulk', { description: 'Ours' })).body.data).toMatchObject({
      ...{ description: 'Ours', priority: 'low', built_in: true },
    });
    expect((await api('PATCH', '/streams/transactional', { priority: 'low' })).status).toBe(409);
    expect((await api('DELETE', '/streams/bulk')).status).toBe(409);
    await api('POST', '/streams', { name: 'gone' });
    expect((await api('DELETE', '/streams/gone')).body.data).toEqual({ name: 'gone', deleted: true });
    expect((await api('DELETE', '/streams/gone')).status).toBe(404);
  });
});

describe('mail in a stream', () => {
  it('says so, has its priority unless it says another, and shows the tags that it was given', async () => {
    const tags = [{ name: 'campaign', value: 'spring' }];
    const bulk = await emailOf(await sent({ stream: 'bulk', tags }));
    expect(bulk).toMatchObject({ stream: 'bulk', priority: 'low', tags });
    expect(await emailOf(await sent({ stream: 'bulk', priority: 'high' }))).toMatchObject({
      priority: 'high',
    });
    expect(await emailOf(await sent({}))).toMatchObject({
      ...{ stream: 'transactional', priority: 'normal', tags: [] },
    });
  });

  it('is found by it', async () => {
    const id = await sent({ stream: 'news', subject: 'Found by stream' });
    const usual = await sent({ subject: 'Not in it' });
    expect(await idsIn('news')).toEqual([id]);
    const transactional = await idsIn('transactional');
    expect(transactional).toContain(usual);
    expect(transactional).not.toContain(id);
  });

  it('is shown and found in its stream although it was accepted before streams had a column', async () => {
    const id = await sent({ stream: 'news', tags: [{ name: 'kind', value: 'digest' }] });
    const untagged = await sent({ stream: 'news' });
    await storeStreamAsTag([id, untagged]);
    expect(await emailOf(id)).toMatchObject({ stream: 'news', tags: [{ name: 'kind', value: 'digest' }] });
    expect(await emailOf(untagged)).toMatchObject({ stream: 'news', tags: [] });
    expect(await idsIn('news')).toEqual(expect.arrayContaining([id, untagged]));
    expect(await idsIn('transactional')).not.toContain(id);
  });

  it('is found by the tag message-stream, as it was before streams had a column', async () => {
    const own = await server.createOrganization();
    await api('POST', '/streams', { name: 'letters' }, own.key);
    const sentBy = async (changes: Record<string, unknown>): Promise<string> =>
      (await api('POST', '/emails/send', letter(own, changes), own.key)).body.data.message_id;
    const found = async (query: string): Promise<string[]> =>
      (await api('GET', `/emails?${query}`, undefined, own.key)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    const letters = await sentBy({ stream: 'letters' });
    const asTag = await sentBy({ stream: 'letters' });
    await storeStreamAsTag([asTag]);
    const bulk = await sentBy({ stream: 'bulk' });
    const usual = await sentBy({});
    for (const status of ['queued', 'delivered']) {
      await server.db.exec(adHoc('UPDATE emails SET status = $2 WHERE organization_id = $1'), [
        own.id,
        status,
      ]);
      expect(await found('tag=message-stream:letters')).toEqual([asTag, letters]);
      expect(await found('search=message-stream:letters')).toEqual([asTag, letters]);
      expect(await found('tag=message-stream')).toEqual([bulk, asTag, letters]);
      expect(await found('tag=message-stream:transactional')).toEqual([usual]);
    }
  });

  it('is in the stream that a tag names, even if there is no stream of that name', async () => {
    const tags = [
      { name: 'message-stream', value: 'Spring Sale' },
      { name: 'kind', value: 'digest' },
    ];
    const id = await sent({ tags });
    expect(await emailOf(id)).toMatchObject({ stream: 'Spring Sale', tags: tags.slice(1) });
    const usual = await sent({ tags: [{ name: 'message-stream', value: 'transactional' }] });
    expect(await emailOf(usual)).toMatchObject({ stream: 'transactional', tags: [] });
    expect(await idsIn('transactional')).toContain(usual);
    const counted = adHoc<{ accepted: number }>(
      `SELECT accepted FROM stream_counts WHERE organization_id = $1 AND stream = 'Spring Sale'`,
    );
    expect(await server.db.many(counted, [org.id])).toEqual([{ accepted: 1 }]);
  });

  it('says where it waits for a turn of its stream', async () => {
    await api('POST', '/streams', { name: 'paced', messages_per_minute: 40, messages_per_hour: 900 });
    const id = await sent({ stream: 'paced' });
    await server.db.exec(
      adHoc("UPDATE outbox SET due_at = now() + interval '1 minute' WHERE email_id = $1"),
      [id],
    );
    const { data } = (await api('GET', `/emails/${id}/explain`)).body;
    expect(data.recipients[0].wait).toMatchObject({
      message:
        'The stream paced sends at most 40 emails a minute and 900 emails an hour. The email waits for its turn.',
      expected_at: data.recipients[0].next_attempt_at,
    });
  });

  it('is refused in one that is not there, with the names of those that are', async () => {
    const { status, body } = await send({ stream: 'nwes' });
    expect([status, body.error.details]).toMatchObject([
      400,
      [
        {
          field: 'stream',
          message: expect.stringMatching(/^There is no stream nwes; the streams are transactional, bulk/),
        },
      ],
    ]);
    const twice = await send({ stream: 'news', tags: [{ name: 'message-stream', value: 'bulk' }] });
    expect(twice.body.error.details).toMatchObject([{ field: 'tags[0].name' }]);
  });

  it('is in it, too, when it comes in a batch', async () => {
    const template = { name: 'T', alias: 'streamed', subject: 'Hi', text: 'Hi' };
    await api('POST', '/templates', template);
    const from = { email: `news@${org.domain}` };
    const batch = {
      template_id: 'streamed',
      from,
      stream: 'news',
      recipients: [{ to: { email: 'b@example.org' } }],
    };
    const { batch_id } = (await api('POST', '/emails/batch', batch)).body.data;
    const [{ id }] = (await api('GET', `/emails?batch_id=${batch_id}`)).body.data;
    expect(await emailOf(id)).toMatchObject({ stream: 'news', priority: 'low' });
  });
});

describe('an unsubscription from a stream', () => {
  it('stops that stream and no other; a complaint stops all', async () => {
    const to = [{ email: 'tired@example.org' }];
    await api('POST', '/suppressions', {
      ...{ email: 'tired@example.org', reason: 'unsubscribe', unsubscribe_group: 'news' },
    });
    expect((await send({ to, stream: 'news', unsubscribe: true })).body.error.code).toBe(STOPPED);
    for (const stream of ['bulk', 'transactional'])
      expect((await send({ to, stream, unsubscribe: true })).status).toBe(201);
    await api('POST', '/suppressions', { email: 'tired@example.org', reason: 'complaint' });
    expect((await send({ to })).body.error.code).toBe(STOPPED);
  });

  it('is what the link of its mail is for', async () => {
    expect(await emailOf(await sent({ stream: 'news', unsubscribe: true }))).toMatchObject({
      unsubscribe_group: 'news',
    });
    expect(await emailOf(await sent({ unsubscribe: true }))).toMatchObject({ unsubscribe_group: 'default' });
    expect(await emailOf(await sent({ stream: 'news', unsubscribe_group: 'digest' }))).toMatchObject({
      unsubscribe_group: 'digest',
    });
  });
});

describe('a webhook for some streams', () => {
  it('hears of mail in those alone', async () => {
    const hook = { url: 'http://127.0.0.1:9/hook', event_types: ['email.queued'] };
    const made = async (more: object) => (await api('POST', '/webhooks', { ...hook, ...more })).body.data;
    const some = await made({ streams: ['news'] });
    const usual = await made({ streams: ['transactional'] });
    const all = await made({});
    expect([some.streams, usual.streams, all.streams]).toEqual([['news'], ['transactional'], null]);
    const [inNews, inNone] = [await sent({ stream: 'news' }), await sent({})];
    const deliveredTo = async (id: string) =>
      (
        await server.db.many(
          adHoc<{ email_id: string }>('SELECT email_id FROM webhook_deliveries WHERE endpoint_id = $1'),
          [id],
        )
      ).map(({ email_id }) => email_id);
    expect(await deliveredTo(some.id)).toEqual([inNews]);
    expect(await deliveredTo(usual.id)).toEqual([inNone]);
    expect((await deliveredTo(all.id)).toSorted()).toEqual([inNews, inNone].toSorted());
    const changed = await api('PATCH', `/webhooks/${some.id}`, { streams: null });
    expect(changed.body.data.streams).toBeNull();
  });

  it('hears of mail that was accepted before streams had a column', async () => {
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
    const id = await sent({ stream: 'news', scheduled_at });
    await storeStreamAsTag([id]);
    const hook = { url: 'http://127.0.0.1:9/hook', streams: ['news'] };
    const { data } = (await api('POST', '/webhooks', hook)).body;
    await api('POST', `/emails/${id}/cancel`);
    const deliveredTo = adHoc<{ email_id: string }>(
      'SELECT email_id FROM webhook_deliveries WHERE endpoint_id = $1 AND email_id IS NOT NULL',
    );
    expect(await server.db.many(deliveredTo, [data.id])).toEqual([{ email_id: id }]);
  });
});
