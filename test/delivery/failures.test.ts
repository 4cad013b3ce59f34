/**
 * PostgreSQL fails with every kind of error while an outcome is recorded or mail is loaded. Accepted messages are nevertheless
 * settled, once.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { PASSING_STATES, Refusals } from '../support/refusals.ts';
import { Rival } from '../support/rival.ts';
import { gate } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

/** Includes two unexpected errors. */
const STATES = [...PASSING_STATES, '22012', 'P0001'];

let live: Live;
let refusals: Refusals;
const answers = gate();
beforeAll(async () => {
  live = await Live.start({ sites: { well: {}, late: { dot: answers.step } } });
  refusals = await Refusals.of(live.db);
  await live.startWorker();
});
afterEach(() => refusals.relent());
afterAll(() => live.stop());

const typesOf = async (org: string) => (await live.events(org)).map(({ type }) => type);

describe('a delivery that cannot be settled at once', () => {
  it.each(STATES)('because of %s is settled later, as what it was', async (state) => {
    const sent = live.sink('well').messageCount;
    const org = newId('org');
    await refusals.refuse(state, 2, { what: 'DELETE', table: 'outbox' });
    await live.seed('well', org, 2);
    await live.whenSent(org);
    // Sorted, because the two may be recorded one after the other or together.
    expect((await typesOf(org)).sort()).toEqual(['delivered', 'delivered', 'processing', 'processing']);
    expect((await live.events(org)).every(({ recipient }) => recipient.endsWith('@well.test'))).toBe(true);
    expect(live.sink('well').messageCount).toBe(sent + 2);
  });
});

describe('an attempt whose beginning cannot be recorded', () => {
  it.each(['25P03', 'XX000', '22012'])('because of %s is made once, and settled', async (state) => {
    const sent = live.sink('well').messageCount;
    const org = newId('org');
    const when = `NEW.type = 'processing' OR NEW.started_at IS NOT NULL`;
    await refusals.refuse(state, 3, { what: 'INSERT', table: 'events', when });
    await live.seed('well', org, 1);
    await live.whenSent(org);
    expect((await typesOf(org)).filter((type) => type !== 'processing')).toEqual(['delivered']);
    expect(live.sink('well').messageCount).toBe(sent + 1);
  });
});

describe('an outcome whose transaction a deadlock has ended', () => {
  it('is settled once the other transaction has finished (40P01, by PostgreSQL itself)', async () => {
    const org = newId('org');
    await live.seed('late', org, 1);
    await until(async () => (await typesOf(org)).includes('processing'));
    const rival = await Rival.holding(live.database.url, 'LOCK TABLE email_counts IN EXCLUSIVE MODE');
    answers.release();
    await rival.isWaitedFor();
    await rival.wants(`UPDATE emails SET updated_at = now() WHERE organization_id = '${org}'`);
    await rival.letGo();
    await live.whenSent(org);
    expect(await typesOf(org)).toEqual(['processing', 'delivered']);
    expect(live.sink('late').messageCount).toBe(1);
  });
});
