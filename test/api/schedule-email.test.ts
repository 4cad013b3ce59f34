import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { register } from '../../src/outbox/lease.ts';
import { release, settleDeferred } from '../../src/outbox/settle.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { countersOf, fieldsOf, sendLetter } from '../support/emails.ts';
import { claimDue } from '../support/outbox.ts';

const LATER = '2031-01-01T00:00:00.000Z';
const TWO = { to: [{ email: 'a@example.org' }], bcc: [{ email: 'b@example.org' }] };

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const schedule = (changes: Record<string, unknown> = {}) =>
  sendLetter(server, org, { scheduled_at: LATER, ...changes });
const read = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const cancel = (id: string) => server.api('POST', `/emails/${id}/cancel`, undefined, org.key);
const reschedule = (id: string, scheduled_at: unknown) =>
  server.api('PATCH', `/emails/${id}`, { scheduled_at }, org.key);

interface OutboxRow {
  due_at: Date;
  expires_at: Date;
  worker: number | null;
  attempt: number;
}
const outboxOf = (id: string) =>
  server.db.many(
    adHoc<OutboxRow>(
      'SELECT due_at, expires_at, worker, attempt FROM outbox WHERE email_id = $1 ORDER BY position',
    ),
    [id],
  );

/** Claims the email like a worker at its due time. */
async function claimNow(id: string): Promise<number> {
  await server.db.exec(adHoc(`UPDATE outbox SET due_at = now() WHERE email_id = $1`), [id]);
  const epoch = await register(server.db, { host: 'test', machine: 'test', pid: 1 });
  const claimed = await claimDue(server.db, epoch, 1_000);
  expect(claimed.some((one) => one.emailId === id)).toBe(true);
  return epoch;
}

describe('a scheduled email', () => {
  it('stays queued, and is due at its time', async () => {
    const id = await schedule();
    expect(await read(id)).toMatchObject({ status: 'queued', scheduled_at: LATER });
    const [row] = await outboxOf(id);
    expect(row).toMatchObject({ due_at: new Date(LATER), worker: null, attempt: 0 });
    expect(row?.expires_at.getTime()).toBe(Date.parse(LATER) + 86_400_000);
  });

  it('is due at once when its time was a moment ago', async () => {
    const id = await schedule({ scheduled_at: new Date(Date.now() - 60_000).toISOString() });
    const { created_at } = await read(id);
    expect((await outboxOf(id))[0]?.due_at.toISOString()).toBe(created_at);
  });
});

describe('cancelling', () => {
  it('ends the email as failed, with a rejected event for every recipient that says so', async () => {
    const id = await schedule(TWO);
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({ id, status: 'failed', scheduled_at: LATER });
    expect(data.recipients.map((one: { status: string }) => one.status)).toEqual(['failed', 'failed']);
    const events = data.events.map(({ type, recipient, reason }: Record<string, string>) => [
      type,
      recipient,
      reason,
    ]);
    expect(events).toEqual([
      ['queued', 'a@example.org', null],
      ['queued', 'b@example.org', null],
      ['rejected', 'a@example.org', 'cancelled'],
      ['rejected', 'b@example.org', 'cancelled'],
    ]);
    expect(await read(id)).toEqual(data);
  });

  it('leaves nothing to deliver', async () => {
    const id = await schedule(TWO);
    expect(await outboxOf(id)).toHaveLength(2);
    await cancel(id);
    expect(await outboxOf(id)).toEqual([]);
  });

  it('moves the email from one counter to the other', async () => {
    const fresh = await server.createOrganization('Fresh');
    const id = await sendLetter(server, fresh, { scheduled_at: LATER });
    await sendLetter(server, fresh);
    expect(await countersOf(server.db, fresh.id)).toEqual({ queued: 2 });
    await server.api('POST', `/emails/${id}/cancel`, undefined, fresh.key);
    expect(await countersOf(server.db, fresh.id)).toEqual({ queued: 1, failed: 1 });
  });

  it('takes the empty object as its body too', async () => {
    const id = await schedule();
    expect((await server.api('POST', `/emails/${id}/cancel`, {}, org.key)).status).toBe(200);
  });

  it('refuses a body', async () => {
    const id = await schedule();
    const answer = await server.api('POST', `/emails/${id}/cancel`, { reason: 'x' }, org.key);
    expect(answer.status).toBe(400);
    expect((await read(id)).status).toBe('queued');
  });

  it('works once', async () => {
    const id = await schedule();
    expect((await cancel(id)).status).toBe(200);
    const again = await cancel(id);
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({ code: 'CONFLICT', details: [] });
    expect((await read(id)).events).toHaveLength(2);
  });

  it('works once when asked many times at the same moment', async () => {
    const id = await schedule(TWO);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => cancel(id)))).map(
      (one) => one.status,
    );
    expect(statuses.sort()).toEqual([200, ...Array(7).fill(409)]);
    expect((await read(id)).events).toHaveLength(4);
  });

  it('still works after a worker gave it back untried', async () => {
    const id = await schedule();
    const epoch = await claimNow(id);
    await release(server.db, epoch, [{ organizationId: org.id, emailId: id, position: 0, attempt: 1 }]);
    expect((await cancel(id)).status).toBe(200);
  });

  it.each(['00000000-0000-7000-8000-000000000000', 'nonsense', 'evt_1', '%00'])(
    'answers 404 to the unknown id %s',
    async (id) => {
      expect((await cancel(id)).body.error.code).toBe('NOT_FOUND');
    },
  );
});

describe('rescheduling', () => {
  it('moves when it is due and when it is given up', async () => {
    const id = await schedule({ ...TWO, expires_in: 3_600 });
    const answer = await reschedule(id, '2032-06-01T12:00:00+02:00');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      id,
      status: 'queued',
      scheduled_at: '2032-06-01T10:00:00.000Z',
    });
    const due = new Date('2032-06-01T10:00:00Z');
    const expires = new Date('2032-06-01T11:00:00Z');
    expect(await outboxOf(id)).toEqual(
      Array(2).fill(expect.objectContaining({ due_at: due, expires_at: expires, worker: null })),
    );
  });

  it('to a moment ago makes it due now', async () => {
    const id = await schedule();
    const before = Date.now();
    expect((await reschedule(id, new Date(before - 60_000).toISOString())).status).toBe(200);
    const due = (await outboxOf(id))[0]?.due_at.getTime() ?? 0;
    expect(due).toBeGreaterThanOrEqual(before);
    expect(due).toBeLessThanOrEqual(Date.now());
  });

  it('says when it was changed', async () => {
    const id = await schedule();
    const { created_at } = await read(id);
    const { updated_at } = (await reschedule(id, '2032-01-01T00:00:00Z')).body.data;
    expect(updated_at > created_at).toBe(true);
  });

  it('can be done again and again', async () => {
    const id = await schedule();
    await reschedule(id, '2032-01-01T00:00:00Z');
    expect((await reschedule(id, '2033-01-01T00:00:00Z')).body.data.scheduled_at).toBe(
      '2033-01-01T00:00:00.000Z',
    );
  });

  it.each(['tomorrow', '2031-01-01', '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', null, 5])(
    'refuses %j',
    async (scheduled_at) => {
      const id = await schedule();
      const answer = await reschedule(id, scheduled_at);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(['scheduled_at']);
      expect((await read(id)).scheduled_at).toBe(LATER);
    },
  );

  it('needs scheduled_at, and nothing else', async () => {
    const id = await schedule();
    expect(fieldsOf(await server.api('PATCH', `/emails/${id}`, {}, org.key))).toEqual(['scheduled_at']);
    const more = { scheduled_at: '2032-01-01T00:00:00Z', subject: 'New' };
    expect(fieldsOf(await server.api('PATCH', `/emails/${id}`, more, org.key))).toEqual(['subject']);
  });

  it('answers 404 to an unknown id', async () => {
    const answer = await reschedule('00000000-0000-7000-8000-000000000000', LATER);
    expect(answer.body.error.code).toBe('NOT_FOUND');
  });
});

describe.each([
  ['cancelling', (id: string) => cancel(id)],
  ['rescheduling', (id: string) => reschedule(id, '2032-01-01T00:00:00Z')],
])('%s is refused with CONFLICT', (_what, change) => {
  const refused = async (id: string) => {
    const before = await read(id);
    const answer = await change(id);
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'CONFLICT', details: [] });
    expect(await read(id)).toEqual(before);
  };

  it('for an email that was never scheduled', async () => {
    await refused(await sendLetter(server, org));
  });

  it('for one that was cancelled', async () => {
    const id = await schedule();
    await cancel(id);
    await refused(id);
  });

  it('once sending has begun', async () => {
    const id = await schedule();
    const epoch = await claimNow(id);
    await refused(id);
    expect((await outboxOf(id))[0]?.worker).toBe(epoch);
  });

  it('between two attempts', async () => {
    const id = await schedule();
    const epoch = await claimNow(id);
    const key = { organizationId: org.id, emailId: id, position: 0, attempt: 1 };
    await settleDeferred(server.db, epoch, [{ ...key, dueAtMs: Date.parse(LATER) }]);
    await refused(id);
  });

  it('when only one of its recipients has begun', async () => {
    const id = await schedule(TWO);
    await server.db.exec(adHoc('UPDATE outbox SET attempt = 1 WHERE email_id = $1 AND position = 1'), [id]);
    await refused(id);
    expect(await outboxOf(id)).toHaveLength(2);
  });
});
