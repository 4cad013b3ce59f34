import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Storm } from './storm.ts';

const EMAILS = 2_000;

describe('when PostgreSQL is killed in the middle of 2,000 sends, twice', () => {
  let storm: Storm;
  let accepted: string[];
  let statuses: Map<string, string>;

  beforeAll(async () => {
    storm = await Storm.start();
    const sending = storm.send(EMAILS);
    for (const count of [300, 900]) {
      await storm.sink.waitForMessages(count);
      await storm.restartPostgres();
    }
    accepted = await sending;
    statuses = await storm.settled();
  }, 120_000);
  afterAll(() => storm.stop());

  it('every 201 is delivered', () => {
    expect(accepted.length).toBeGreaterThan(EMAILS / 2);
    expect(accepted.filter((id) => statuses.get(id) !== 'delivered')).toEqual([]);
    const arrived = storm.arrived();
    expect(accepted.filter((id) => !arrived.has(id))).toEqual([]);
  });

  it('nothing arrives twice', () => {
    expect(storm.unexcusedDuplicates()).toEqual([]);
  });

  it('the counters equal a full count', async () => {
    expect(await storm.countsDiffer()).toEqual([]);
  });
});
