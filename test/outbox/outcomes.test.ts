/** What the outcomes of recipients make of their email. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { applyOutcomes, type RecipientOutcome } from '../../src/emails/outcomes.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding } from '../support/database.ts';
import { countersOf, sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const sendTo = (count: number, from = org) =>
  sendLetter(server, from, { to: Array.from({ length: count }, (_, i) => ({ email: `r${i}@example.org` })) });

const outcome = (emailId: string, position: number, state: RecipientState): RecipientOutcome => ({
  organizationId: org.id,
  emailId,
  position,
  state,
  attempts: 1,
  atMs: Date.now(),
});

const apply = (...outcomes: RecipientOutcome[]) =>
  server.db.transaction((tx) => applyOutcomes(tx, outcomes, Date.now()));

const read = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const statusOf = async (id: string): Promise<string> => (await read(id)).status;

describe('the status of an email', () => {
  it.each<[RecipientState[], string]>([
    [['delivered'], 'delivered'],
    [['bounced'], 'bounced'],
    [['failed'], 'failed'],
    [['opened'], 'opened'],
    [['deferred'], 'queued'],
    [['delivered', 'delivered'], 'delivered'],
    [['delivered', 'opened'], 'opened'],
    [['delivered', 'bounced'], 'bounced'],
    [['opened', 'bounced'], 'bounced'],
    [['bounced', 'failed'], 'failed'],
    [['delivered', 'bounced', 'failed', 'opened'], 'failed'],
    [['failed', 'deferred'], 'queued'],
    [['delivered', 'queued'], 'queued'],
  ])('with recipients %j is %s', async (states, expected) => {
    const id = await sendTo(states.length);
    await apply(...states.map((state, position) => outcome(id, position, state)));
    expect(await statusOf(id)).toBe(expected);
  });

  it('follows them one by one, in any order', async () => {
    const id = await sendTo(3);
    const seen: string[] = [];
    for (const [position, state] of [
      [2, 'bounced'],
      [0, 'deferred'],
      [1, 'delivered'],
      [0, 'delivered'],
    ] as const) {
      await apply(outcome(id, position, state));
      seen.push(await statusOf(id));
    }
    expect(seen).toEqual(['queued', 'queued', 'queued', 'bounced']);
  });

  it('turns from delivered to opened, and from delivered to bounced when a report comes later', async () => {
    const id = await sendTo(2);
    await apply(outcome(id, 0, 'delivered'), outcome(id, 1, 'delivered'));
    await apply(outcome(id, 0, 'opened'));
    expect(await statusOf(id)).toBe('opened');
    await apply(outcome(id, 1, 'bounced'));
    expect(await statusOf(id)).toBe('bounced');
  });

  it('is filtered on at once', async () => {
    const id = await sendTo(1);
    await apply(outcome(id, 0, 'bounced'));
    const { body } = await server.api('GET', '/emails?status=bounced&limit=1', undefined, org.key);
    expect(body.data[0]).toMatchObject({ id, status: 'bounced' });
  });
});

describe('an outcome', () => {
  it('shows on its recipient, with attempts and time, and on no other', async () => {
    const id = await sendTo(2);
    const before = (await read(id)).recipients;
    const atMs = Date.now() + 1_000;
    await apply({ ...outcome(id, 1, 'deferred'), attempts: 3, atMs });
    expect((await read(id)).recipients).toEqual([
      before[0],
      {
        email: 'r1@example.org',
        kind: 'to',
        status: 'deferred',
        attempts: 3,
        updated_at: new Date(atMs).toISOString(),
      },
    ]);
  });

  it('moves updated_at when it changes the status, and not otherwise', async () => {
    const id = await sendTo(2);
    const { updated_at: sent } = await read(id);
    const settle = (position: number, nowMs: number) =>
      server.db.transaction((tx) => applyOutcomes(tx, [outcome(id, position, 'delivered')], nowMs));
    await settle(0, Date.now() + 60_000);
    expect((await read(id)).updated_at).toBe(sent);
    const nowMs = Date.now() + 120_000;
    await settle(1, nowMs);
    expect((await read(id)).updated_at).toBe(new Date(nowMs).toISOString());
  });

  it('of an email that is gone is no harm', async () => {
    await expect(
      apply(outcome('01900000-0000-7000-8000-000000000000', 0, 'delivered')),
    ).resolves.toBeUndefined();
  });

  it('says nothing about an email of the same id elsewhere', async () => {
    const id = await sendTo(1);
    await apply({ ...outcome(id, 0, 'failed'), organizationId: 'org_other' });
    expect(await statusOf(id)).toBe('queued');
  });
});

describe('two workers that settle two recipients of one email at the same moment', () => {
  it('do not leave it queued forever', async () => {
    const id = await sendTo(2);
    let second: Promise<void> | undefined;
    await holding(server.db, async (tx) => {
      await applyOutcomes(tx, [outcome(id, 0, 'delivered')], Date.now());
      second = apply(outcome(id, 1, 'delivered'));
      const waiting = adHoc(`SELECT 1 FROM pg_stat_activity
                             WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      await expect.poll(() => server.db.many(waiting)).toHaveLength(1);
    });
    await second;
    expect(await statusOf(id)).toBe('delivered');
  });

  it('neither deadlock nor miscount, for many emails in opposite orders', async () => {
    org = await server.createOrganization('Concurrent');
    const ids = await Promise.all(Array.from({ length: 30 }, () => sendTo(2)));
    const first = ids.map((id) => outcome(id, 0, 'delivered'));
    const second = ids.map((id, i) => outcome(id, 1, i % 3 === 0 ? 'bounced' : 'delivered')).reverse();
    await Promise.all([apply(...first), apply(...second)]);
    const statuses = await Promise.all(ids.map(statusOf));
    expect(statuses).toEqual(ids.map((_, i) => (i % 3 === 0 ? 'bounced' : 'delivered')));
    expect(await countersOf(server.db, org.id)).toEqual({ delivered: 20, bounced: 10 });
  });

  it('get every one of fifty recipients decided', async () => {
    const id = await sendTo(50);
    await Promise.all(Array.from({ length: 50 }, (_, position) => apply(outcome(id, position, 'delivered'))));
    expect(await statusOf(id)).toBe('delivered');
  });
});

describe('the counters', () => {
  it('move with the status, on the day the email was accepted', async () => {
    org = await server.createOrganization('Counted');
    const id = await sendTo(2);
    const counters = () => countersOf(server.db, org.id);
    expect(await counters()).toEqual({ queued: 1 });
    await apply(outcome(id, 0, 'delivered'));
    expect(await counters()).toEqual({ queued: 1 });
    await apply(outcome(id, 1, 'delivered'));
    expect(await counters()).toEqual({ delivered: 1 });
    await apply(outcome(id, 1, 'opened'));
    expect(await counters()).toEqual({ opened: 1 });
    await apply(outcome(id, 1, 'opened'));
    expect(await counters()).toEqual({ opened: 1 });
  });

  it('stay as they are when the transaction fails', async () => {
    const id = await sendTo(1);
    const before = await countersOf(server.db, org.id);
    const failing = server.db.transaction(async (tx) => {
      await applyOutcomes(tx, [outcome(id, 0, 'delivered')], Date.now());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await countersOf(server.db, org.id)).toEqual(before);
    expect(await statusOf(id)).toBe('queued');
  });
});
