/** States of an email that its status does not show, in lists and for one email. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { placeGuardHold } from '../../src/delivery/guard/place-hold.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import type { HoldRow } from '../../src/interventions/holds/store.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
let hold: HoldRow | undefined;
const LANE = 'tmpl_x version 1 to mx.customer.example';
const ids = {} as Record<
  | 'queued'
  | 'scheduled'
  | 'held'
  | 'retrying'
  | 'partly_delivered'
  | 'withdrawn'
  | 'superseded'
  | 'failed'
  | 'complained',
  string
>;

beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  const tomorrow = { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() };
  ids.queued = await sendLetter(server, org);
  ids.scheduled = await sendLetter(server, org, tomorrow);
  ids.held = await sendLetter(server, org);
  ids.retrying = await sendLetter(server, org);
  ids.partly_delivered = await sendLetter(server, org, {
    to: ['ada', 'bob', 'eve'].map((name) => ({ email: `${name}@example.org` })),
  });
  ids.withdrawn = await sendLetter(server, org, tomorrow);
  ids.superseded = await sendLetter(server, org, tomorrow);
  ids.failed = await sendLetter(server, org, tomorrow);
  ids.complained = await sendLetter(server, org, tomorrow);
  await server.db.exec(adHoc(`UPDATE recipients SET state = 'deferred' WHERE email_id = $1`), [ids.retrying]);
  await server.db.exec(adHoc(`UPDATE outbox SET due_at = '2032-01-01' WHERE email_id = $1`), [ids.retrying]);
  hold = await placeGuardHold(server.db, {
    organizationId: org.id,
    scope: 'lane',
    value: LANE,
    reason: 'Refused.',
  });
  // As a worker does that comes to held mail.
  await server.db.exec(
    adHoc(`UPDATE outbox SET hold_id = $2, due_at = 'infinity', expires_at = 'infinity', time_left = interval '1 day'
           WHERE email_id = $1`),
    [ids.held, hold?.id],
  );
  for (const id of [ids.withdrawn, ids.superseded, ids.failed])
    await server.api('POST', `/emails/${id}/cancel`, {}, org.key);
  await server.db.exec(
    adHoc(`UPDATE events SET reason = 'superseded' WHERE email_id = $1 AND type = 'rejected'`),
    [ids.superseded],
  );
  await outcome(ids.partly_delivered, 0, 'delivered');
  await outcome(ids.partly_delivered, 1, 'opened');
  await outcome(ids.partly_delivered, 2, 'bounced');
  await happened(ids.failed, 'failed');
  await happened(ids.complained, 'complained');
});
afterAll(() => server.stop());

async function outcome(emailId: string, position: number, state: RecipientState): Promise<void> {
  const decided = { organizationId: org.id, emailId, position, state, attempts: 1, atMs: Date.now() };
  await server.db.transaction((tx) => applyOutcomes(tx, [decided], Date.now()));
}

async function happened(id: string, type: string): Promise<void> {
  const insert = `INSERT INTO events (organization_id, email_id, id, type, position, recipient, created_at)
                  VALUES ($1, $2, $3, $4, 0, 'ada@example.org', now())`;
  await server.db.exec(adHoc(insert), [org.id, id, uuidv7(Date.now()), type]);
}

const list = async (query: string) => (await server.api('GET', `/emails?${query}`, undefined, org.key)).body;

describe('the state of an email', () => {
  it('tells apart what has the same status, in the list and of one', async () => {
    const { data } = await list('limit=100');
    const states = Object.fromEntries(data.map((one: { id: string; state: string }) => [one.id, one.state]));
    expect(states).toEqual(Object.fromEntries(Object.entries(ids).map(([state, id]) => [id, state])));
    const one = (await server.api('GET', `/emails/${ids.retrying}`, undefined, org.key)).body.data;
    expect(one).toMatchObject({
      status: 'queued',
      state: 'retrying',
      next_attempt_at: '2032-01-01T00:00:00.000Z',
    });
  });

  it('is partly delivered when some recipients have the email and the others never get it', async () => {
    const counts = { recipient_count: 3, delivered_count: 2 };
    const whole = { status: 'bounced', state: 'partly_delivered', ...counts };
    const path = `/emails/${ids.partly_delivered}`;
    expect((await server.api('GET', path, undefined, org.key)).body.data).toMatchObject(whole);
    expect((await list('state=partly_delivered&status=bounced')).data).toMatchObject([whole]);
    expect((await list('state=partly_delivered&status=failed')).data).toEqual([]);
  });

  it('names the hold of held mail, with its reason and the guard that placed it, in the list and of one', async () => {
    const expectedHold = {
      id: hold?.id,
      reason: 'Refused.',
      placed_by: 'guard',
      placed_at: expect.any(String),
    };
    const one = (await server.api('GET', `/emails/${ids.held}`, undefined, org.key)).body.data;
    expect(one).toMatchObject({ status: 'queued', state: 'held', hold: expectedHold, next_attempt_at: null });
    const { data } = await list('state=held');
    expect(data).toEqual([expect.objectContaining({ id: ids.held, hold: expectedHold })]);
  });

  it('is explained with the guard as the author of its hold', async () => {
    const { recipients } = (await server.api('GET', `/emails/${ids.held}/explain`, undefined, org.key)).body
      .data;
    expect(recipients[0].problem).toMatchObject({
      reason: 'held',
      meaning: expect.stringContaining('The email has been held by the guard since'),
    });
  });

  it.each([
    'scheduled',
    'held',
    'retrying',
    'partly_delivered',
    'withdrawn',
    'superseded',
    'complained',
  ] as const)('finds what is %s', async (state) => {
    const { data, pagination } = await list(`state=${state}`);
    const others = state === 'scheduled' ? [ids.complained] : [];
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([ids[state], ...others].sort());
    expect(pagination.total_count).toBe(1 + others.length);
    expect((await list(`state=${state}&to=nobody@example.org`)).data).toEqual([]);
  });

  it('is found anew, though nothing was counted meanwhile', async () => {
    const late = await sendLetter(server, org);
    expect((await list('state=complained')).pagination.total_count).toBe(1);
    await happened(late, 'complained');
    expect((await list('state=complained')).pagination.total_count).toBe(2);
  });

  it('contradicts a status that it is not part of', async () => {
    expect((await list('state=scheduled&status=delivered')).data).toEqual([]);
    expect((await list('state=delivered')).error.code).toBe('VALIDATION_ERROR');
  });
});
