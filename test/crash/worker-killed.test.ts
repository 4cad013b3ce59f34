import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Storm } from './storm.ts';

const EMAILS = 2_000;

describe('when the worker is killed in the middle of 2,000 sends, four times', () => {
  let storm: Storm;
  let accepted: string[];
  let statuses: Map<string, string>;

  beforeAll(async () => {
    storm = await Storm.start();
    const sending = storm.send(EMAILS);
    for (const count of [200, 600, 1_000, 1_500]) {
      await storm.sink.waitForMessages(count);
      await storm.worker.killAndRestart();
    }
    accepted = await sending;
    statuses = await storm.settled();
  }, 120_000);
  afterAll(() => storm.stop());

  it('every 201 is delivered', () => {
    expect(accepted).toHaveLength(EMAILS);
    expect(accepted.filter((id) => statuses.get(id) !== 'delivered')).toEqual([]);
    expect(storm.arrived()).toEqual(new Set(accepted));
  });

  it('nothing arrives twice but what was cut off behind its final dot', () => {
    expect(storm.unexcusedDuplicates()).toEqual([]);
  });

  it('the counters equal a full count', async () => {
    expect(await storm.countsDiffer()).toEqual([]);
  });
});
