/** Workers keep held mail, and lose none of it when the hold ends. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { executeEndingHold } from '../../src/interventions/holds/end-holds.ts';
import { endHold, findHold, type NewHold, placeHold } from '../../src/interventions/holds/store.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { wakeWorkers } from '../../src/outbox/wake.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { type Gate, gate } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const metrics = createMetrics('worker');
let live: Live;
let slow: Gate | null = null;
beforeAll(async () => {
  live = await Live.start({
    metrics,
    sites: {
      open: {},
      other: {},
      slow: { rcpt: (moment) => (typeof slow?.step === 'function' ? slow.step(moment) : { act: 'agree' }) },
    },
  });
  await live.startWorker();
});
afterAll(() => live.stop());
afterEach(async () => {
  for (const { id } of await live.db.many(adHoc<{ id: string }>('SELECT id FROM holds')))
    await end(id, 'release');
});

const newOrganization = async () =>
  (await createOrganization(live.db, systemClock, { name: 'One', dailyLimit: 0 })).id;

async function place(hold: Omit<NewHold, 'reason'>): Promise<string> {
  const placed = await placeHold(live.db, { ...hold, reason: 'a test' });
  if (placed === undefined) throw new Error('An identical hold already exists.');
  await whenWorkerKnowsHolds();
  return placed.id;
}

async function end(id: string, how: 'release' | 'discard'): Promise<void> {
  const hold = await findHold(live.db, id);
  if (hold !== undefined) await endHold(live.db, hold, { how, reason: null, by: 'a test' });
  await executeEndingHold({ db: live.db, nowMs: Date.now }, id, AbortSignal.timeout(10_000));
  await whenWorkerKnowsHolds();
}

/** A worker reads changed holds a moment later, and on a busy machine much later: mail that is due by then goes out. */
async function whenWorkerKnowsHolds(): Promise<void> {
  const { count } = await live.db.one(
    adHoc<{ count: number }>('SELECT count(*) FROM holds WHERE lifted_at IS NULL'),
  );
  await until(async () => (await holdsThatTheWorkerKnows()) === count);
}

async function holdsThatTheWorkerKnows(): Promise<number> {
  const counts = (await metrics.text()).matchAll(/^postrider_holds\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, known]) => sum + Number(known), 0);
}

interface Row {
  readonly hold_id: string | null;
  readonly attempt: number;
  readonly worker: number | null;
  readonly due_now: boolean;
  readonly left_seconds: number | null;
}
const rows = (organizationId: string) =>
  live.db.many(
    adHoc<Row>(
      `SELECT hold_id, attempt, worker, due_at <= now() AS due_now, extract(epoch FROM time_left)::float8 AS left_seconds
       FROM outbox WHERE organization_id = $1`,
    ),
    [organizationId],
  );
const whenParked = (organizationId: string, count: number) =>
  until(
    () => rows(organizationId),
    (all) => all.filter((row) => row.hold_id !== null).length === count,
  );
const heldEvents = (organizationId: string) =>
  live.db.many(
    adHoc<{ recipient: string; reason: string | null; hold: { id: string } }>(
      `SELECT recipient, reason, hold FROM events WHERE organization_id = $1 AND type = 'held' ORDER BY id`,
    ),
    [organizationId],
  );
const beats = async () =>
  (await live.db.one(adHoc<{ beat: string }>('SELECT max(heartbeat_at)::text AS beat FROM workers'))).beat;

describe('a hold of everything', () => {
  it('keeps workers from claiming anything', async () => {
    const organizationId = await newOrganization();
    await place({ scope: 'all' });
    const before = await beats();
    await live.seed('open', organizationId, 3);
    await until(beats, (beat) => beat !== before);
    expect(await rows(organizationId)).toMatchObject(
      Array.from({ length: 3 }, () => ({ hold_id: null, attempt: 0, worker: null, due_now: true })),
    );
  });

  it('costs no lifetime: what would have expired goes out when it is released', async () => {
    const organizationId = await newOrganization();
    const hold = await place({ scope: 'all' });
    await live.seed('open', organizationId, 1, { expiresInMs: 500 });
    await live.db.exec(adHoc(`UPDATE holds SET placed_at = placed_at - interval '1 minute' WHERE id = $1`), [
      hold,
    ]);
    await live.db.exec(
      adHoc(`UPDATE outbox SET due_at = due_at - interval '30 seconds', expires_at = due_at - interval '1 second'
             WHERE organization_id = $1`),
      [organizationId],
    );
    await end(hold, 'release');
    await live.whenSent(organizationId);
    expect(await typesButHeld(organizationId)).toEqual(['processing', 'delivered']);
  });

  it('does not bring back what had expired before', async () => {
    const organizationId = await newOrganization();
    const hold = await place({ scope: 'all' });
    await live.seed('open', organizationId, 1, { dueInMs: -10_000, expiresInMs: -5_000 });
    await end(hold, 'release');
    await live.whenSent(organizationId);
    // On a slow machine a `held` event may be recorded as well.
    const events = (await live.events(organizationId)).filter(({ type }) => type !== 'held');
    expect(events).toMatchObject([{ type: 'failed', reason: 'lifetime_exceeded' }]);
  });
});

/** A slow machine has the time to record that the email is held before the hold is released. */
async function typesButHeld(organizationId: string): Promise<string[]> {
  const types = (await live.events(organizationId)).map(({ type }) => type);
  return types.filter((type) => type !== 'held');
}

describe('a hold', () => {
  it('parks what it covers, without an attempt, and lets the rest pass', async () => {
    const [held, free] = [await newOrganization(), await newOrganization()];
    const hold = await place({ scope: 'organization', organizationId: held });
    await live.seed('open', held, 3);
    await live.seed('open', free, 1);
    await live.whenSent(free);
    const parked = await whenParked(held, 3);
    expect(parked).toMatchObject(
      Array.from({ length: 3 }, () => ({ hold_id: hold, attempt: 0, worker: null, due_now: false })),
    );
    expect(parked[0]?.left_seconds).toBeGreaterThan(86_000);
    await end(hold, 'release');
    await live.whenSent(held);
    expect((await live.events(held)).filter(({ type }) => type === 'delivered')).toHaveLength(3);
  });

  it('is named by a `held` event of each recipient, with its id and reason', async () => {
    const organizationId = await newOrganization();
    const hold = await place({ scope: 'organization', organizationId });
    await live.seed('open', organizationId, 2);
    await whenParked(organizationId, 2);
    const events = await heldEvents(organizationId);
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      recipient: expect.stringContaining('@open.test'),
      reason: null,
      hold: { id: hold, reason: 'a test', placed_by: 'operator' },
    });
    await end(hold, 'release');
    await live.whenSent(organizationId);
    expect((await live.events(organizationId)).map(({ type }) => type).toSorted()).toEqual([
      'delivered',
      'delivered',
      'held',
      'held',
      'processing',
      'processing',
    ]);
  });

  it('is named once, also where its mail is parked under it a second time', async () => {
    const organizationId = await newOrganization();
    await place({ scope: 'organization', organizationId });
    await live.seed('open', organizationId, 1);
    await whenParked(organizationId, 1);
    // Like a change of `scheduled_at`.
    await live.db.exec(
      adHoc(`UPDATE outbox SET hold_id = NULL, time_left = NULL, due_at = now(), expires_at = now() + interval '1 day'
             WHERE organization_id = $1`),
      [organizationId],
    );
    await wakeWorkers(live.db);
    await whenParked(organizationId, 1);
    expect(await heldEvents(organizationId)).toHaveLength(1);
  });

  it.each<[string, (organizationId: string) => Omit<NewHold, 'reason'>]>([
    ['a sender’s domain', () => ({ scope: 'domain', value: 'sender.test' })],
    ['a template', (organizationId) => ({ scope: 'template', value: 'tmpl_held', organizationId })],
    ['a tag', (organizationId) => ({ scope: 'tag', value: 'kind:bad', organizationId })],
    ['an API key', (organizationId) => ({ scope: 'key', value: 'key_held', organizationId })],
    ['a site', () => ({ scope: 'provider', value: 'mx.open.test' })],
    ['a provider', () => ({ scope: 'provider', value: 'other' })],
  ])('stops mail of %s', async (_name, target) => {
    const organizationId = await newOrganization();
    const hold = await place(target(organizationId));
    await live.seed('open', organizationId, 1, { dueInMs: 60_000 });
    await live.db.exec(
      adHoc(`UPDATE emails SET template_id = 'tmpl_held', api_key_id = 'key_held', tags = '[{"name":"kind","value":"bad"}]'
             WHERE organization_id = $1`),
      [organizationId],
    );
    await live.db.exec(adHoc('UPDATE outbox SET due_at = now() WHERE organization_id = $1'), [
      organizationId,
    ]);
    expect(await whenParked(organizationId, 1)).toMatchObject([{ hold_id: hold }]);
    expect((await live.events(organizationId)).map(({ type }) => type)).toEqual(['held']);
  });

  it('stops mail that is on its way, before the final dot', async () => {
    const organizationId = await newOrganization();
    slow = gate();
    await live.seed('slow', organizationId, 1);
    await slow.reached;
    await place({ scope: 'organization', organizationId });
    const noticed = await newOrganization();
    await place({ scope: 'organization', organizationId: noticed });
    // Once the worker has parked the other organization's mail, it has read both holds.
    await live.seed('open', noticed, 1);
    await whenParked(noticed, 1);
    slow.release();
    await whenParked(organizationId, 1);
    slow = null;
    expect(live.sink('slow').messageCount).toBe(0);
    expect((await live.events(organizationId)).map(({ type }) => type)).toEqual(['processing', 'held']);
  });

  it('that was released while a worker looked parks nothing', async () => {
    const organizationId = await newOrganization();
    const hold = await place({ scope: 'organization', organizationId });
    await live.db.exec(adHoc('UPDATE holds SET lifted_at = now() WHERE id = $1'), [hold]);
    await live.seed('open', organizationId, 1);
    await live.whenSent(organizationId);
    expect(await typesButHeld(organizationId)).toEqual(['processing', 'delivered']);
  });

  it('is followed by another one that covers the same mail', async () => {
    const organizationId = await newOrganization();
    const first = await place({ scope: 'organization', organizationId });
    await live.seed('open', organizationId, 2);
    await whenParked(organizationId, 2);
    const second = await place({ scope: 'domain', organizationId, value: 'sender.test' });
    await end(first, 'release');
    await until(
      () => rows(organizationId),
      (all) => all.every((row) => row.hold_id === second),
    );
    const named = (await heldEvents(organizationId)).map(({ hold }) => hold.id);
    expect(named.toSorted()).toEqual([first, first, second, second].toSorted());
  });
});

describe('discarding a hold', () => {
  it('ends all that it covers as failed, what is due later too, and nothing that came afterwards', async () => {
    const organizationId = await newOrganization();
    const hold = await place({ scope: 'organization', organizationId });
    await live.seed('open', organizationId, 2);
    await live.seed('open', organizationId, 1, { dueInMs: 3_600_000, attempt: 1 });
    await whenParked(organizationId, 2);
    const ended = { id: hold, organization_id: organizationId, scope: 'organization' as const };
    await endHold(live.db, ended, { how: 'discard', reason: 'wrong prices', by: 'a test' });
    await live.seed('other', organizationId, 1);
    await executeEndingHold({ db: live.db, nowMs: Date.now }, hold, AbortSignal.timeout(10_000));
    await live.whenSent(organizationId);
    const events = await live.events(organizationId);
    expect(events.filter(({ type }) => type === 'rejected').map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'hold_discarded'),
    );
    expect(events.filter(({ type }) => type === 'delivered')).toHaveLength(1);
    expect(
      await live.db.many(
        adHoc(
          'SELECT status, count(*) FROM emails WHERE organization_id = $1 GROUP BY status ORDER BY status',
        ),
        [organizationId],
      ),
    ).toEqual([
      { status: 'delivered', count: 1 },
      { status: 'failed', count: 3 },
    ]);
    expect(
      await live.db.one(
        adHoc('SELECT discarded, released, ended_at IS NOT NULL AS ended FROM holds WHERE id = $1'),
        [hold],
      ),
    ).toMatchObject({ discarded: 3, ended: true });
  });

  it('ends mail that another hold has parked: the release of that hold does not send it', async () => {
    const organizationId = await newOrganization();
    const other = await place({ scope: 'organization', organizationId });
    await live.seed('open', organizationId, 2);
    await whenParked(organizationId, 2);
    await end(await place({ scope: 'domain', organizationId, value: 'sender.test' }), 'discard');
    await end(other, 'release');
    await live.whenSent(organizationId);
    const ended = (await live.events(organizationId)).filter(({ type }) => type !== 'held');
    expect(ended.map(({ type, reason }) => [type, reason])).toEqual([
      ['rejected', 'hold_discarded'],
      ['rejected', 'hold_discarded'],
    ]);
  });
});
