/** Saved views: who sees them, who changes them, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { join, type Person, signUpOwner, strangerOf } from '../accounts/people.ts';
import { startApi, type TestApi } from '../support/api.ts';

let server: TestApi;
let key: string;
const people = {} as Record<'owner' | 'ada' | 'bob' | 'reader', Person>;

beforeAll(async () => {
  server = await startApi();
  ({ key } = await server.createOrganization());
  people.owner = await signUpOwner(server);
  people.ada = await join(server, people.owner, 'ada@example.org', 'member');
  people.bob = await join(server, people.owner, 'bob@example.org', 'member');
  people.reader = await join(server, people.owner, 'reader@example.org', 'read_only');
});
afterAll(() => server.stop());

const BOUNCED = { status: 'bounced', period: '7d' };
let made = 0;
const uniqueName = () => `View ${++made}`;

async function save(person: Person, changes: object = {}) {
  const body = { list: 'emails', name: uniqueName(), query: BOUNCED, ...changes };
  const answer = await person.api('POST', '/views', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

async function idsSeenBy(person: Person, filter = ''): Promise<string[]> {
  const { body } = await person.api('GET', `/views${filter}`);
  return body.data.map(({ id }: { id: string }) => id);
}

describe('a view', () => {
  it('of one member is invisible to everybody else, also to owners', async () => {
    const view = await save(people.ada);
    expect(view).toMatchObject({ shared: false, editable: true, created_by: people.ada.id, query: BOUNCED });
    expect(await idsSeenBy(people.ada)).toContain(view.id);
    for (const other of [people.owner, people.bob, people.reader]) {
      expect(await idsSeenBy(other)).not.toContain(view.id);
      expect((await other.api('PATCH', `/views/${view.id}`, { name: 'Mine' })).status).toBe(404);
      expect((await other.api('DELETE', `/views/${view.id}`)).status).toBe(404);
    }
  });

  it('that is shared is seen by all members and by keys, and named after its creator', async () => {
    const view = await save(people.ada, { shared: true });
    for (const other of [people.owner, people.bob, people.reader])
      expect(await idsSeenBy(other)).toContain(view.id);
    const { body } = await server.api('GET', '/views?list=emails', undefined, key);
    expect(body.data).toContainEqual({ ...view, editable: false, created_by_name: 'ada@example.org' });
  });

  it('is listed with the views of its list', async () => {
    const view = await save(people.ada, { list: 'suppressions', query: { reason: 'manual' } });
    expect(await idsSeenBy(people.ada, '?list=suppressions')).toEqual([view.id]);
    expect(await idsSeenBy(people.ada, '?list=emails')).not.toContain(view.id);
  });

  it('that is shared is changed by its creator and by owners, and by nobody else', async () => {
    const { id } = await save(people.ada, { shared: true });
    for (const other of [people.bob, people.reader]) {
      expect((await other.api('PATCH', `/views/${id}`, { name: 'Mine' })).status).toBe(403);
      expect((await other.api('DELETE', `/views/${id}`)).status).toBe(403);
    }
    expect((await server.api('DELETE', `/views/${id}`, undefined, key)).status).toBe(403);
    const renamed = await people.ada.api('PATCH', `/views/${id}`, { name: 'Renamed by Ada' });
    expect(renamed.body.data).toMatchObject({ name: 'Renamed by Ada', query: BOUNCED, shared: true });
    const replaced = await people.owner.api('PATCH', `/views/${id}`, { query: { status: 'failed' } });
    expect(replaced.body.data).toMatchObject({ name: 'Renamed by Ada', query: { status: 'failed' } });
    expect((await people.owner.api('DELETE', `/views/${id}`)).body.data).toEqual({ id, deleted: true });
  });

  it('that is shared is made private only by its creator', async () => {
    const { id } = await save(people.ada, { shared: true });
    expect((await people.owner.api('PATCH', `/views/${id}`, { shared: false })).status).toBe(403);
    expect((await people.ada.api('PATCH', `/views/${id}`, { shared: false })).body.data.shared).toBe(false);
    expect(await idsSeenBy(people.bob)).not.toContain(id);
    expect((await people.ada.api('PATCH', `/views/${id}`, { shared: true })).body.data.shared).toBe(true);
    expect(await idsSeenBy(people.bob)).toContain(id);
  });

  it('has a name that is unique among shared views of a list', async () => {
    const { name } = await save(people.ada, { shared: true });
    const again = { list: 'emails', name, query: BOUNCED, shared: true };
    const refused = await people.bob.api('POST', '/views', again);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ code: 'CONFLICT', details: [{ field: 'name' }] });
    const { id } = await save(people.bob, { shared: true });
    expect((await people.bob.api('PATCH', `/views/${id}`, { name })).status).toBe(409);
    // The same name elsewhere: an own view, and another list.
    await save(people.bob, { name });
    await save(people.bob, { name, list: 'templates', query: { search: 'x' }, shared: true });
  });

  it('has a name that is unique among the own views of a member', async () => {
    const { name } = await save(people.ada);
    await save(people.bob, { name });
    const again = { list: 'emails', name: ` ${name} `, query: BOUNCED };
    expect((await people.ada.api('POST', '/views', again)).status).toBe(409);
  });

  it('leaves with its member unless it is shared', async () => {
    const carl = await join(server, people.owner, 'carl@example.org', 'member');
    const own = await save(carl);
    const shared = await save(carl, { shared: true });
    expect((await people.owner.api('DELETE', `/members/${carl.id}`)).status).toBe(200);
    expect(await idsSeenBy(people.owner)).toContain(shared.id);
    const left = adHoc<{ id: string }>('SELECT id FROM saved_views WHERE id = ANY ($1)');
    expect(await server.db.many(left, [[own.id, shared.id]])).toEqual([{ id: shared.id }]);
  });

  it('is removed when an address in its filters is erased, and exported before', async () => {
    const { id } = await save(people.ada, { query: { to: 'Gone@example.org' } });
    const kept = await save(people.ada, { query: { to: 'not-gone@example.org' } });
    const email = { email: 'gone@example.org' };
    const { body } = await people.owner.api('POST', '/recipients/export', email);
    expect(body.data.saved_views.map((view: { id: string }) => view.id)).toEqual([id]);
    expect((await people.owner.api('POST', '/recipients/erase', email)).status).toBe(200);
    const seen = await idsSeenBy(people.ada);
    expect(seen).not.toContain(id);
    expect(seen).toContain(kept.id);
  });

  it('stays in its organization, whoever belongs to both', async () => {
    const view = await save(people.owner, { shared: true });
    const stranger = await strangerOf(server, people.owner, 'stranger@example.com');
    expect(await idsSeenBy(stranger)).toEqual([]);
    for (const method of ['PATCH', 'DELETE'])
      expect(
        (await stranger.api(method, `/views/${view.id}`, method === 'PATCH' ? { name: 'x' } : undefined))
          .status,
      ).toBe(404);
  });

  it('is in the audit log, without its filters', async () => {
    const { id, name } = await save(people.ada, { shared: true, query: { to: 'private@example.org' } });
    await people.ada.api('DELETE', `/views/${id}`);
    const { body } = await people.owner.api('GET', '/audit-log?action=view&limit=2');
    expect(body.data).toMatchObject([
      { action: 'view.deleted', target: { id, name } },
      { action: 'view.created', target: { id, name }, details: { list: 'emails', shared: true } },
    ]);
    expect(JSON.stringify(body.data)).not.toContain('private@example.org');
  });
});

describe('a user with read access', () => {
  it('keeps views of their own', async () => {
    const { id } = await save(people.reader);
    expect((await people.reader.api('PATCH', `/views/${id}`, { name: uniqueName() })).status).toBe(200);
    expect((await people.reader.api('DELETE', `/views/${id}`)).status).toBe(200);
  });

  it('shares nothing, neither at once nor later', async () => {
    const body = { list: 'emails', name: uniqueName(), query: BOUNCED, shared: true };
    const refused = await people.reader.api('POST', '/views', body);
    expect(refused.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/sharing/),
    });
    const { id } = await save(people.reader);
    expect((await people.reader.api('PATCH', `/views/${id}`, { shared: true })).status).toBe(403);
  });

  it('no longer changes what they shared as a member', async () => {
    const dora = await join(server, people.owner, 'dora@example.org', 'member');
    const { id } = await save(dora, { shared: true });
    await people.owner.api('PATCH', `/members/${dora.id}`, { role: 'read_only' });
    expect((await dora.api('PATCH', `/views/${id}`, { name: 'Mine' })).status).toBe(403);
    expect((await dora.api('PATCH', `/views/${id}`, { shared: false })).status).toBe(403);
  });
});

describe('an API key', () => {
  it('shares views, changes those that it shared, and keeps them after a rotation', async () => {
    const given = { list: 'emails', name: uniqueName(), query: BOUNCED, shared: true };
    const { id } = (await server.api('POST', '/views', given, key)).body.data;
    expect((await people.ada.api('DELETE', `/views/${id}`)).status).toBe(403);
    const current = (await server.api('GET', '/api-keys/current', undefined, key)).body.data.id;
    const rotated = (await server.api('POST', `/api-keys/${current}/rotate`, {}, key)).body.data.key;
    expect((await server.api('PATCH', `/views/${id}`, { name: uniqueName() }, rotated)).status).toBe(200);
    expect((await server.api('DELETE', `/views/${id}`, undefined, rotated)).status).toBe(200);
  });

  it('has no views of its own', async () => {
    const given = { list: 'emails', name: uniqueName(), query: BOUNCED };
    const refused = await server.api('POST', '/views', given, key);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toMatchObject([{ field: 'shared' }]);
  });
});

describe('what is refused', () => {
  it.each([
    ['an empty name', { name: '  ' }, 'name'],
    ['a long name', { name: 'x'.repeat(61) }, 'name'],
    ['a line break in the name', { name: 'a\nb' }, 'name'],
    ['an unknown list', { list: 'unicorns' }, 'list'],
    ['a filter of another list', { query: { reason: 'manual' } }, 'query.reason'],
    ['a filter that is no text', { query: { status: { is: 'bounced' } } }, 'query.status'],
    ['no filter', { query: {} }, 'query'],
    ['filters of more than 2 KB', { query: { to: 'x'.repeat(900), from: 'ü'.repeat(900) } }, 'query'],
  ])('%s, named by its field', async (_, wrong, field) => {
    const answer = await people.ada.api('POST', '/views', {
      list: 'emails',
      name: 'View',
      query: BOUNCED,
      ...wrong,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((one: { field: string }) => one.field)).toContain(field);
  });

  it('filters of another list in a change', async () => {
    const { id } = await save(people.ada);
    const answer = await people.ada.api('PATCH', `/views/${id}`, { query: { reason: 'manual' } });
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'query.reason' }],
    });
  });

  it('the 51st own view of a list', async () => {
    const eve = await join(server, people.owner, 'eve@example.org', 'member');
    for (let n = 0; n < 50; n += 1) await save(eve, { list: 'inbound', query: { q: 'x' } });
    const body = { list: 'inbound', name: uniqueName(), query: { q: 'x' } };
    expect((await eve.api('POST', '/views', body)).body.error).toMatchObject({ code: 'CONFLICT' });
    await save(eve);
  });

  it('the 201st shared view', async () => {
    const fill = adHoc(
      `INSERT INTO saved_views (organization_id, id, list, name, query, created_by, created_at)
       SELECT organization_id, 'view_' || n, 'sites', 'Full ' || n, '{"view": "installation"}', user_id, now()
       FROM memberships, generate_series(1, 200) AS n WHERE user_id = $1`,
    );
    await server.db.exec(fill, [people.ada.id]);
    const body = { list: 'emails', name: uniqueName(), query: BOUNCED, shared: true };
    expect((await people.ada.api('POST', '/views', body)).body.error).toMatchObject({ code: 'CONFLICT' });
    const { id } = await save(people.ada);
    expect((await people.ada.api('PATCH', `/views/${id}`, { shared: true })).status).toBe(409);
    await server.db.exec(adHoc(`DELETE FROM saved_views WHERE name LIKE 'Full %'`));
  });
});
