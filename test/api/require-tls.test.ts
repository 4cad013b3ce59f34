/** The TLS requirement of an email, in requests and answers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const call = (method: 'GET' | 'POST', path: string, body?: object) => server.api(method, path, body, org.key);

async function stored(id: string): Promise<string | undefined> {
  const found = adHoc<{ options: { tls?: string } }>('SELECT options FROM emails WHERE id = $1');
  return (await server.db.one(found, [id])).options.tls;
}

async function accepted(more: object): Promise<string> {
  const { status, body } = await call('POST', '/emails/send', letter(org, { ...more }));
  expect(status).toBe(201);
  return body.data.message_id;
}

it('is read from the addresses of mail that was accepted before options had a column', async () => {
  const id = await accepted({ require_tls: true, collapse_key: 'sign-in' });
  await server.db.exec(
    adHoc('UPDATE emails SET addresses = addresses || options, options = NULL WHERE id = $1'),
    [id],
  );
  const { data } = (await call('GET', `/emails/${id}`)).body;
  expect(data).toMatchObject({ require_tls: true, collapse_key: 'sign-in' });
});

it('is shown with the email and its explanation', async () => {
  const id = await accepted({ require_tls: true });
  expect((await call('GET', `/emails/${id}`)).body.data.require_tls).toBe(true);
  expect((await call('GET', `/emails/${id}/explain`)).body.data.require_tls).toBe(true);
  expect(await stored(id)).toBe('required');
});

it.each<[string, object, string | undefined]>([
  ['nothing was said', {}, undefined],
  ['it need not be', { require_tls: false }, undefined],
  ['its header says that it may go without', { headers: { 'tls-Required': ' no' } }, 'optional'],
  ['its header says something else', { headers: { 'TLS-Required': 'Yes' } }, undefined],
  [
    'it demands TLS, whatever its header says',
    { require_tls: true, headers: { 'TLS-Required': 'No' } },
    'required',
  ],
])('is kept as it was meant where %s', async (_, more, tls) => {
  expect(await stored(await accepted(more))).toBe(tls);
});

it('holds for every email of a batch', async () => {
  const template = { name: 'Results', subject: 'Results', text: 'As discussed.' };
  const { id } = (await call('POST', '/templates', template)).body.data;
  const { from } = letter(org);
  const recipients = ['ada', 'bob'].map((name) => ({ to: { email: `${name}@example.org` } }));
  const batch = { from, template_id: id, recipients, require_tls: true };
  const { status, body } = await call('POST', '/emails/batch', batch);
  expect(status).toBe(201);
  const all = adHoc<{ tls: string }>(`SELECT options->>'tls' AS tls FROM emails WHERE batch_id = $1`);
  expect(await server.db.many(all, [body.data.batch_id])).toEqual([{ tls: 'required' }, { tls: 'required' }]);
});

it('holds for the emails of a mixed request that have it', async () => {
  const emails = [letter(org, { require_tls: true }), letter(org)];
  const { body } = await call('POST', '/emails/batch/mixed', { emails });
  const ids = body.data.results.map(({ message_id: id }: { message_id: string }) => id);
  expect(await Promise.all(ids.map(stored))).toEqual(['required', undefined]);
});

it('is refused where it is no answer to whether', async () => {
  const { status, body } = await call('POST', '/emails/send', letter(org, { require_tls: 'yes' }));
  expect(status).toBe(400);
  expect(body.error.details).toEqual([{ field: 'require_tls', message: expect.any(String) }]);
});
