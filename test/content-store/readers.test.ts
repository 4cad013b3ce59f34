/** Whoever needs content that was moved: gets it, waits, or is told. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { MovedContents } from '../../src/emails/moved/moved-contents.ts';
import { processUndos } from '../../src/interventions/undos/process-undos.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { contentChores, contentRows, settleAs, storeOf } from '../support/content-store.ts';
import { sendLetter } from '../support/emails.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';

const clock = { ms: Date.now() - 3 * HOUR_MS, nowMs: () => clock.ms };
let sink: S3Sink;
let server: TestApi;
let chores: ReturnType<typeof contentChores>;
let org: TestOrganization;
let owner: Person;
beforeAll(async () => {
  sink = await startS3Sink();
  server = await startApi({ clock, env: sink.env });
  chores = contentChores(server.db, clock, sink);
  org = await server.createOrganization();
  owner = await signUpOwner(server);
});
afterAll(async () => {
  await server.stop();
  await sink.stop();
});
beforeEach(() => {
  sink.fault = () => undefined;
  sink.calls.length = 0;
});

const call = (method: string, path: string, body?: unknown) => server.api(method, path, body, org.key);

async function moved(
  state: 'delivered' | 'failed' | 'bounced' = 'delivered',
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = await sendLetter(server, org, { text: 'Here I am', ...changes });
  await settleAs(server.db, org, id, state, clock.ms);
  clock.ms += 2 * HOUR_MS;
  await chores.move();
  const found = adHoc('SELECT FROM moved_contents WHERE email_id = $1');
  expect(await server.db.many(found, [id])).toHaveLength(1);
  return id;
}

describe('while the content store does not answer', () => {
  it('content is 503 and says why, and all else about the email can be read', async () => {
    const id = await moved();
    sink.fault = () => 'drop';
    const { status, body, headers } = await call('GET', `/emails/${id}/content`);
    expect(status).toBe(503);
    expect(body.error.code).toBe('UNAVAILABLE');
    expect(body.error.message).toContain('content store, which does not answer');
    expect(headers.get('retry-after')).toBe('10');
    expect((await call('GET', `/emails/${id}`)).status).toBe(200);
    expect((await call('GET', '/emails')).status).toBe(200);
    expect((await call('GET', `/emails/${id}/explain`)).status).toBe(200);
  });

  it('it is left alone after a few failures, and asked again later', async () => {
    clock.ms += HOUR_MS;
    sink.fault = () => undefined;
    const id = await moved();
    await expect.poll(async () => (await call('GET', `/emails/${id}/content`)).status).toBe(200);
    sink.fault = () => 500;
    for (let asked = 0; asked < 10; asked += 1)
      expect((await call('GET', `/emails/${id}/content`)).status).toBe(503);
    expect(sink.calls.filter(({ method, key }) => method === 'GET' && key.includes(id)).length).toBeLessThan(
      6,
    );
    clock.ms += HOUR_MS;
    sink.fault = () => undefined;
    expect((await call('GET', `/emails/${id}/content`)).status).toBe(200);
  });

  it('recent sends of a template are listed without their data', async () => {
    const template = { name: 'T', subject: 'S', html: '<p>{{a}}</p>' };
    const { body } = await call('POST', '/templates', template);
    await moved('delivered', { text: undefined, template_id: body.data.id, template_data: { a: 1 } });
    sink.fault = () => 500;
    const sends = await call('GET', `/templates/${body.data.id}/sends`);
    expect(sends.body.data).toMatchObject([{ template_data: null, template_version: 1 }]);
    clock.ms += HOUR_MS;
    sink.fault = () => undefined;
    const again = await call('GET', `/templates/${body.data.id}/sends`);
    expect(again.body.data).toMatchObject([{ template_data: { a: 1 } }]);
  });
});

it('content that was moved is 503 where no store is configured, and says what to set', async () => {
  const id = await moved();
  const other = await startApi({ clock, database: server.database });
  const { status, body } = await other.api('GET', `/emails/${id}/content`, undefined, org.key);
  expect(status).toBe(503);
  expect(body.error.message).toContain('POSTRIDER_CONTENT_S3_ENDPOINT');
  await other.stop();
});

it('content that the store has no longer is 404', async () => {
  const id = await moved();
  for (const key of [...sink.objects.keys()]) if (key.includes(id)) sink.objects.delete(key);
  expect((await call('GET', `/emails/${id}/content`)).status).toBe(404);
});

describe('an email that failed', () => {
  it('is retried with its content, which comes back first', async () => {
    const id = await moved('failed', { attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }] });
    await server.db.exec(adHoc(`UPDATE events SET type = 'failed' WHERE email_id = $1 AND type = 'queued'`), [
      id,
    ]);
    const { status, body } = await call('POST', `/emails/${id}/retry`);
    expect(body.data?.status ?? body).toBe('queued');
    expect(status).toBe(200);
    const size = adHoc<{ size: number }>('SELECT size FROM outbox WHERE email_id = $1');
    expect(await server.db.one(size, [id])).toEqual({ size: 'Here I am'.length + 'hello'.length });
    const files = adHoc<{ content: Buffer }>('SELECT content FROM email_attachments WHERE email_id = $1');
    expect((await server.db.one(files, [id])).content.toString()).toBe('hello');
    await chores.remove();
    expect([...sink.objects.keys()].filter((key) => key.includes(id))).toEqual([]);
    await server.db.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [id]);
  });

  it('is not retried while the store is away: 503, and nothing has changed', async () => {
    const id = await moved('failed');
    sink.fault = () => 500;
    expect((await call('POST', `/emails/${id}/retry`)).status).toBe(503);
    expect((await call('GET', `/emails/${id}`)).body.data.status).toBe('failed');
    clock.ms += HOUR_MS;
  });
});

describe('an email that is sent again', () => {
  it('has the content and the files that were moved', async () => {
    const old = await moved('delivered', { attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }] });
    const { body } = await call('POST', `/emails/${old}/resend`);
    const contentOf = async (id: string) => (await call('GET', `/emails/${id}/content`)).body.data;
    expect(await contentOf(body.data.message_id)).toEqual(await contentOf(old));
    const file = await call('GET', `/emails/${body.data.message_id}/attachments/0`);
    expect(file.body.data).toMatchObject({ filename: 'a.txt', content: 'aGVsbG8=' });
    await server.db.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [body.data.message_id]);
  });

  it('is not accepted while the store is away: 503', async () => {
    const id = await moved();
    sink.fault = () => 500;
    expect((await call('POST', `/emails/${id}/resend`)).status).toBe(503);
    const { body } = await call('POST', '/emails/resend', { ids: [id] });
    expect(body.data.results).toMatchObject([{ message_id: null, error: { code: 'UNAVAILABLE' } }]);
    expect((await call('GET', `/emails/${id}`)).body.data.resends).toEqual([]);
    clock.ms += HOUR_MS;
  });
});

describe('an undo', () => {
  const carryOut = () =>
    processUndos(
      {
        ...{ db: server.db, nowMs: clock.nowMs, mode: 'sandbox', lifetimeMs: createLifetime(1) },
        moved: new MovedContents({ db: server.db, clock, store: storeOf(sink) }),
      },
      AbortSignal.timeout(20_000),
    );

  it('waits while the store is away, and brings content back when it answers', async () => {
    const from = new Date(clock.ms - 1_000).toISOString();
    const id = await sendLetter(server, org);
    await settleAs(server.db, org, id, 'bounced', clock.ms);
    await server.db.exec(
      adHoc(`UPDATE events SET type = 'bounced' WHERE email_id = $1 AND type = 'queued'`),
      [id],
    );
    const to = new Date(clock.ms + 1_000).toISOString();
    clock.ms += 2 * HOUR_MS;
    await chores.move();
    const preview = await call('POST', '/undos/preview', { from, to });
    expect(preview.body.data ?? preview.body).toMatchObject({ requeue: 1 });
    const { body } = await call('POST', '/undos', { from, to, reason: 'A bad hour' });
    sink.fault = () => 500;
    await carryOut();
    expect((await call('GET', `/undos/${body.data.id}`)).body.data).toMatchObject({ state: 'running' });
    sink.fault = () => undefined;
    await carryOut();
    const done = (await call('GET', `/undos/${body.data.id}`)).body.data;
    expect(done).toMatchObject({ state: 'done', requeued: 1, left_alone: {} });
    const here = adHoc('SELECT FROM email_contents WHERE email_id = $1');
    expect(await server.db.many(here, [id])).toHaveLength(1);
    await server.db.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [id]);
  });
});

it('an export of an address has the content that was moved, or is refused', async () => {
  const { key, domain, id } = await ownersOrganization();
  const answer = await server.api(
    'POST',
    '/emails/send',
    {
      ...{
        from: { email: `a@${domain}` },
        to: [{ email: 'exported@example.org' }],
        subject: 'S',
        text: 'Mine',
      },
      attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }],
    },
    key,
  );
  await settleAs(server.db, { id }, answer.body.data.message_id, 'delivered', clock.ms);
  clock.ms += 2 * HOUR_MS;
  await chores.move();
  const { body } = await owner.api('POST', '/recipients/export', { email: 'exported@example.org' });
  expect(body.data.emails).toMatchObject([
    { text: 'Mine', attachments: [{ filename: 'a.txt', size: 5 }], headers: null },
  ]);
  expect(body.data.emails[0]).not.toHaveProperty('seal_key');
  sink.fault = () => 'drop';
  const away = await owner.api('POST', '/recipients/export', { email: 'exported@example.org' });
  expect(away.status).toBe(503);
  expect((await contentRows(server.db)).moved_contents).toBeGreaterThan(0);
});

/** The first there is. */
async function ownersOrganization(): Promise<TestOrganization> {
  const { body } = await owner.api('GET', '/auth/me');
  const id = body.data.organization?.id ?? body.data.organizations?.[0]?.id;
  const domain = `${String(id).replace('_', '-')}.test`;
  return { id, domain, key: await server.createKey(id) };
}
