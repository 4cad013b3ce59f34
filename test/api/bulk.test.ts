/** One request for several things: each has a result of its own, and an entry of its own in the audit log. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
});

const call = (path: string, body: unknown, key = org.key) => server.api('POST', path, body, key);
const scheduled = () => sendLetter(server, org, { scheduled_at: '2031-01-01T00:00:00Z' });
const suppress = async (email: string): Promise<string> =>
  (await call('/suppressions', { email, reason: 'manual' })).body.data.id;
const hold = async (value: string): Promise<string> =>
  (await call('/holds', { scope: 'tag', value, ahead: true, reason: 'Wrong' })).body.data.id;

function audited(action: string) {
  const log = adHoc<{ target_id: string; target_name: string | null; details: object }>(
    'SELECT target_id, target_name, details FROM audit_log WHERE organization_id = $1 AND action = $2 ORDER BY id',
  );
  return server.db.many(log, [org.id, action]);
}

const codes = (data: { results: { id: string; error: { code: string } | null }[] }) =>
  data.results.map(({ id, error }) => [id, error?.code ?? null]);

describe('several emails', () => {
  it('are cancelled, except those that are already being sent', async () => {
    const [one, sent, two] = [await scheduled(), await sendLetter(server, org), await scheduled()];
    const { status, body } = await call('/emails/cancel', { ids: [one, sent, two, one] });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ succeeded: 2, failed: 1 });
    expect(codes(body.data)).toEqual([
      [one, null],
      [sent, 'CONFLICT'],
      [two, null],
    ]);
    const { data } = (await server.api('GET', `/emails/${one}`, undefined, org.key)).body;
    expect(data).toMatchObject({ status: 'failed', state: 'withdrawn' });
    expect((await audited('email.cancelled')).map(({ target_id }) => target_id)).toEqual([one, two]);
  });

  it('are retried, except those without a recipient that can be retried', async () => {
    const id = await sendLetter(server, org);
    const { body } = await call('/emails/retry', { ids: [id, 'nonsense'] });
    expect(codes(body.data)).toEqual([
      [id, 'CONFLICT'],
      ['nonsense', 'NOT_FOUND'],
    ]);
  });

  it('of another organization are not found, and stay as they are', async () => {
    const id = await scheduled();
    const other = await server.createOrganization('Other');
    for (const action of ['cancel', 'retry', 'resend']) {
      const { body } = await call(`/emails/${action}`, { ids: [id] }, other.key);
      expect(codes(body.data)).toEqual([[id, 'NOT_FOUND']]);
    }
    const { data } = (await server.api('GET', `/emails/${id}`, undefined, org.key)).body;
    expect(data.state).toBe('scheduled');
  });

  it('and other things are changed by no key that may only read or send', async () => {
    for (const scope of ['read', 'send'] as const) {
      const key = await server.createKey(org.id, { scope });
      for (const path of [
        ...['/emails/cancel', '/emails/retry', '/suppressions/delete', '/holds/release', '/holds/discard'],
      ])
        expect([path, (await call(path, { ids: ['x'], reason: 'x' }, key)).status]).toEqual([path, 403]);
    }
  });

  it('are cancelled once if an id is named twice, also in capitals', async () => {
    const id = await scheduled();
    const { body } = await call('/emails/cancel', { ids: [id.toUpperCase(), id] });
    expect(codes(body.data)).toEqual([[id, null]]);
  });

  it('are named, at most a hundred of them', async () => {
    const ids = Array.from({ length: 101 }, (_, n) => String(n));
    for (const wrong of [{}, { ids: [] }, { ids }, { ids: ['x'], id: 'x' }])
      expect((await call('/emails/cancel', wrong)).status).toBe(400);
  });
});

describe('several suppressions', () => {
  it('are removed, and named in the audit log', async () => {
    const ids = [await suppress('ada@example.org'), await suppress('bob@example.org')];
    const { body } = await call('/suppressions/delete', { ids: [...ids, 'sup_none'] });
    expect(body.data).toMatchObject({ succeeded: 2, failed: 1 });
    const left = await server.api('GET', '/suppressions', undefined, org.key);
    expect(left.body.pagination.total_count).toBe(0);
    expect(await audited('suppression.deleted')).toMatchObject([
      { target_id: ids[0], target_name: 'ada@example.org' },
      { target_id: ids[1], target_name: 'bob@example.org' },
    ]);
  });

  it('of another organization stay', async () => {
    const id = await suppress('ada@example.org');
    const other = await server.createOrganization('Other');
    const { body } = await call('/suppressions/delete', { ids: [id] }, other.key);
    expect(codes(body.data)).toEqual([[id, 'NOT_FOUND']]);
    const left = await server.api('GET', '/suppressions', undefined, org.key);
    expect(left.body.pagination.total_count).toBe(1);
  });
});

describe('several holds', () => {
  it('of another organization stay', async () => {
    const id = await hold('one');
    const other = await server.createOrganization('Other');
    const body = { ids: [id], reason: 'Not yours' };
    expect(codes((await call('/holds/release', { ids: [id] }, other.key)).body.data)).toEqual([
      [id, 'NOT_FOUND'],
    ]);
    expect(codes((await call('/holds/discard', body, other.key)).body.data)).toEqual([[id, 'NOT_FOUND']]);
    const held = await server.api('GET', `/holds/${id}`, undefined, org.key);
    expect(held.body.data).toMatchObject({ id, state: 'in_force' });
  });

  it('are released, and one that has ended is named', async () => {
    const [one, two] = [await hold('one'), await hold('two')];
    await call(`/holds/${one}/release`, undefined);
    const { body } = await call('/holds/release', { ids: [one, two] });
    expect(codes(body.data)).toEqual([
      [one, 'CONFLICT'],
      [two, null],
    ]);
    expect((await audited('hold.released')).map(({ target_id }) => target_id)).toEqual([one, two]);
  });

  it('are discarded for one reason', async () => {
    const ids = [await hold('one'), await hold('two')];
    expect((await call('/holds/discard', { ids })).status).toBe(400);
    const { body } = await call('/holds/discard', { ids, reason: 'Wrong prices' });
    expect(body.data.succeeded).toBe(2);
    expect(await audited('hold.discarded')).toMatchObject(
      ids.map((id) => ({ target_id: id, details: { reason: 'Wrong prices' } })),
    );
  });
});
