import { describe, expect, it } from 'vitest';
import { accountOfStrikes } from './strikes.ts';

const found = (...args: Parameters<typeof accountOfStrikes>) =>
  accountOfStrikes(...args).flatMap(({ found }) => found);

describe('whether the faults of a storm met mail', () => {
  it('finds nothing when half of the strikes met enough deliveries, most of them during the faults', () => {
    const log = { struck: { 'kill-worker': 4 }, inHand: { 'kill-worker': [0, 0, 5, 60] }, delivered: 900 };
    expect(found(log, 1_000, { leastInHand: 5, leastDuringFaults: 0.5 })).toEqual([]);
  });

  it('reports strikes of which more than half met too few deliveries', () => {
    const inHand = { 'kill-worker': [0, 4], 'freeze-api': [5] };
    const log = { struck: { 'kill-worker': 2, 'freeze-api': 1 }, inHand, delivered: 900 };
    expect(found(log, 1_000, { leastInHand: 5, leastDuringFaults: 0.5 })).toEqual([
      '1 of 3 found 5 or more deliveries in hand',
    ]);
  });

  it('reports that most deliveries were made after the faults were over', () => {
    const log = { struck: { 'kill-worker': 1 }, inHand: { 'kill-worker': [9] }, delivered: 35 };
    expect(found(log, 2_288, { leastDuringFaults: 0.5 })).toEqual([
      '35 of 2288 were made before the faults were over',
    ]);
  });

  it('accepts such deliveries where the scenario demands nothing about them', () => {
    const log = { struck: { 'freeze-everything': 1 }, inHand: { 'freeze-everything': [9] }, delivered: 35 };
    expect(found(log, 2_288, {})).toEqual([]);
  });

  it('judges only faults that strike processes and sessions', () => {
    const log = { struck: { 'dns-gone': 2 }, inHand: { 'dns-gone': [0, 0] }, delivered: 0 };
    expect(found(log, 1_000, { leastDuringFaults: 0.5 })).toEqual([]);
  });
});
