/** Finding the mail of an API key, and withdrawing its queued mail. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { executeEndingHolds } from '../../src/interventions/holds/end-holds.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

interface Key {
  readonly id: string;
  readonly key: string;
}

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
let leaked: Key;
const sent: string[] = [];

beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  other = await server.createOrganization();
  leaked = await newKey(org);
  for (let n = 0; n < 3; n += 1) sent.push(await sendLetter(server, { ...org, key: leaked.key }));
  await sendLetter(server, org);
  await sendLetter(server, other);
});
afterAll(() => server.stop());

async function newKey({ key }: TestOrganization, scope = 'send'): Promise<Key> {
  const { status, body } = await server.api('POST', '/api-keys', { name: 'Shop', scope }, key);
  expect(status).toBe(201);
  return body.data;
}

const get = (path: string, key = org.key) => server.api('GET', path, undefined, key);
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();

describe('what an API key sent', () => {
  it('is what the list of emails holds with its id, before and after it is settled', async () => {
    for (const settled of [false, true]) {
      if (settled)
        await server.db.exec(adHoc(`UPDATE emails SET status = 'delivered' WHERE id = $1`), [sent[0]]);
      const { body } = await get(`/emails?api_key_id=${leaked.id}`);
      expect(ids(body.data)).toEqual(sent.toSorted());
      expect(body.pagination.total_count).toBe(3);
    }
  });

  it('is narrowed down by the other filters', async () => {
    const { body } = await get(`/emails?api_key_id=${leaked.id}&to=nobody@example.org`);
    expect(body.data).toEqual([]);
    const found = await get(`/emails?api_key_id=${leaked.id}&to=ada@example.org&limit=2`);
    expect([found.body.data.length, found.body.pagination.total_count]).toEqual([2, 3]);
  });

  it('is found by a search for its id', async () => {
    expect(ids((await get(`/emails?search=${leaked.id}`)).body.data)).toEqual(sent.toSorted());
    expect((await get(`/emails?search=${leaked.id}`, other.key)).body.data).toEqual([]);
  });

  it('is what its events are about', async () => {
    const { body } = await get(`/events?api_key_id=${leaked.id}`);
    const about = body.data.map((one: { email_id: string }) => one.email_id);
    expect([...new Set(about)].sort()).toEqual(sent.toSorted());
    expect((await get(`/events?api_key_id=${leaked.id}&type=delivered`)).body.data).toEqual([]);
    const more = await get(`/events?api_key_id=${leaked.id}&recipient=nobody@example.org`);
    expect(more.body.data).toEqual([]);
  });

  it.each(['/emails', '/events'])('is refused for a key that is not the organization’s: %s', async (path) => {
    for (const [id, key] of [
      ['key_none', org.key],
      [leaked.id, other.key],
    ] as const) {
      const { status, body } = await get(`${path}?api_key_id=${id}`, key);
      expect([status, body.error.details[0].field]).toEqual([400, 'api_key_id']);
    }
  });

  it('is no more for an agent than what it sent itself', async () => {
    const agent = await newKey(org, 'agent');
    expect((await get(`/emails?api_key_id=${leaked.id}`, agent.key)).body.data).toEqual([]);
  });
});

describe('a hold of what an API key sent', () => {
  it('covers that and nothing else', async () => {
    const hold = { scope: 'key', value: leaked.id, reason: 'Leaked' };
    const { status, body } = await server.api('POST', '/holds', hold, org.key);
    expect([status, body.data.mail.held]).toEqual([201, 3]);
    await server.api('POST', `/holds/${body.data.id}/release`, undefined, org.key);
  });

  it('is refused for the key of somebody else', async () => {
    const hold = { scope: 'key', value: leaked.id, reason: 'Leaked' };
    const { status, body } = await server.api('POST', '/holds', hold, other.key);
    expect([status, body.error.details[0].field]).toEqual([400, 'value']);
  });
});

describe('revoking an API key', () => {
  const LATER = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };

  async function withMail(): Promise<{ key: Key; now: string; later: string }> {
    const key = await newKey(org);
    const by = { ...org, key: key.key };
    return { key, now: await sendLetter(server, by), later: await sendLetter(server, by, LATER) };
  }
  const revoke = (id: string, mail?: string, key = org.key) =>
    server.api('DELETE', `/api-keys/${id}${mail === undefined ? '' : `?mail=${mail}`}`, undefined, key);
  const isRevoked = async ({ id }: Key) =>
    (await get('/api-keys?limit=100')).body.data.find((one: Key) => one.id === id).revoked_at !== null;
  const statusOf = async (id: string) => (await get(`/emails/${id}`)).body.data.status;

  it('leaves its mail alone unless told otherwise', async () => {
    const { key, now } = await withMail();
    const { status, body } = await revoke(key.id);
    expect([status, body.data]).toEqual([200, { id: key.id, deleted: true, hold: null }]);
    expect(await statusOf(now)).toBe('queued');
  });

  it('holds what it queued and scheduled, and says how much that is', async () => {
    const { key } = await withMail();
    const { body } = await revoke(key.id, 'hold');
    expect(body.data.hold).toMatchObject({
      ...{ scope: 'key', value: key.id, state: 'in_force', reason: 'The API key Shop was revoked' },
      mail: { held: 1, later: 1 },
    });
    expect(await isRevoked(key)).toBe(true);
    const again = await revoke(key.id, 'hold');
    expect(again.body.data.hold.id).toBe(body.data.hold.id);
  });

  it('withdraws what it queued and scheduled, and nothing else', async () => {
    const { key, now, later } = await withMail();
    const untouched = await sendLetter(server, org);
    const { body } = await revoke(key.id, 'withdraw');
    expect(body.data.hold).toMatchObject({ state: 'discarding', mail: { held: 1, later: 1 } });
    expect((await get('/api-keys/current', key.key)).status).toBe(401);
    await executeEndingHolds({ db: server.db, nowMs: Date.now }, AbortSignal.timeout(20_000));
    expect(await Promise.all([now, later, untouched].map(statusOf))).toEqual(['failed', 'failed', 'queued']);
  });

  it('withdraws what is held already', async () => {
    const { key, now } = await withMail();
    const held = await revoke(key.id, 'hold');
    const { body } = await revoke(key.id, 'withdraw');
    expect(body.data.hold).toMatchObject({ id: held.body.data.hold.id, state: 'discarding' });
    await executeEndingHolds({ db: server.db, nowMs: Date.now }, AbortSignal.timeout(20_000));
    expect(await statusOf(now)).toBe('failed');
  });

  it('withdraws also what came in after an earlier discard of its mail began', async () => {
    const { key, now } = await withMail();
    const held = await revoke(key.id, 'hold');
    const id = held.body.data.hold.id;
    await server.db.exec(
      adHoc(`UPDATE holds SET ending = 'discard', ending_at = now() - interval '1 hour' WHERE id = $1`),
      [id],
    );
    const refused = await revoke(key.id, 'hold');
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining(id)]);
    expect((await revoke(key.id, 'withdraw')).body.data.hold).toMatchObject({ id, state: 'discarding' });
    await executeEndingHolds({ db: server.db, nowMs: Date.now }, AbortSignal.timeout(20_000));
    expect(await statusOf(now)).toBe('failed');
  });

  it('revokes and holds while a worker of an earlier release is running, and discards nothing', async () => {
    const { key, now } = await withMail();
    const worker = await server.db.one(
      adHoc<{ epoch: number }>(
        `INSERT INTO workers (host, machine, pid) VALUES ('old', 'm', 1) RETURNING epoch`,
      ),
    );
    try {
      const { status, body } = await revoke(key.id, 'withdraw');
      expect([status, body.data.hold.state, await isRevoked(key)]).toEqual([200, 'in_force', true]);
      const path = `/holds/${body.data.hold.id}/discard`;
      const discarded = await server.api('POST', path, { reason: 'Leaked' }, org.key);
      expect([discarded.status, discarded.body.error.message]).toEqual([
        409,
        expect.stringContaining('A worker of an earlier release is still running'),
      ]);
      await executeEndingHolds({ db: server.db, nowMs: Date.now }, AbortSignal.timeout(20_000));
      expect(await statusOf(now)).toBe('queued');
    } finally {
      await server.db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [worker.epoch]);
    }
  });

  it('holds its mail however many holds there are', async () => {
    const crowded = await server.createOrganization();
    const key = await newKey(crowded);
    await server.db.exec(
      adHoc(`INSERT INTO holds (id, organization_id, by_operator, scope, value, reason, placed_by, placed_at)
             SELECT 'hold_crowd_' || n, $1, false, 'tag', 'tag-' || n, 'a test', 'a thief', now()
             FROM generate_series(1, 100) AS n`),
      [crowded.id],
    );
    const { status, body } = await revoke(key.id, 'hold', crowded.key);
    expect([status, body.data.hold.state]).toEqual([200, 'in_force']);
    expect((await server.api('GET', '/api-keys/current', undefined, key.key)).status).toBe(401);
  });

  it('accepts nothing of a request that was under way', async () => {
    const { key } = await withMail();
    const letter = JSON.stringify({
      ...{ from: { email: `news@${org.domain}` }, to: [{ email: 'ada@example.org' }] },
      ...{ subject: 'Late', text: 'Hello' },
    });
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
    const sending = request(`${server.url}/api/v1/emails/send`, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(letter), expect: '100-continue' },
    });
    const answered = once(sending, 'response');
    sending.flushHeaders();
    await once(sending, 'continue');
    sending.write(letter.slice(0, 20));
    // One more request with the key is answered: the first was let in before.
    expect((await get('/api-keys/current', key.key)).status).toBe(200);
    await revoke(key.id, 'withdraw');
    sending.end(letter.slice(20));
    const [response] = await answered;
    expect([response.statusCode, await text(response)]).toEqual([
      401,
      expect.stringContaining('was revoked during the request'),
    ]);
    const { body } = await get(`/emails?api_key_id=${key.id}`);
    expect(body.pagination.total_count).toBe(2);
  });

  it('is in the audit log with what became of its mail', async () => {
    const { key } = await withMail();
    const { body } = await revoke(key.id, 'hold');
    const rows = await server.db.many(
      adHoc(`SELECT details FROM audit_log WHERE target_id = $1 AND action = 'api_key.revoked'`),
      [key.id],
    );
    expect(rows).toEqual([{ details: { mail: 'hold', hold_id: body.data.hold.id } }]);
  });

  it('holds nothing and revokes nothing for a key that is tied to a domain', async () => {
    const tied = await server.createKey(org.id, { domain: org.domain });
    const made = await server.api('POST', '/api-keys', { name: 'Tied', domain: org.domain }, tied);
    const { status, body } = await revoke(made.body.data.id, 'hold', tied);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(await isRevoked(made.body.data)).toBe(false);
    expect((await revoke(made.body.data.id, undefined, tied)).status).toBe(200);
  });

  it('of somebody else finds nothing', async () => {
    const { key } = await withMail();
    expect((await revoke(key.id, 'hold', other.key)).status).toBe(404);
    expect(await isRevoked(key)).toBe(false);
    expect((await revoke(key.id, 'keep')).status).toBe(400);
  });
});
