import { describe, expect, it } from 'vitest';
import type { RouteTable } from './table.ts';
import { warmUpTurns } from './warm-up-turns.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');
const curve = [50, 100, 150];
const warmUp = { since: '2026-11-01', curve, curves: {}, over: 'fallback' } as const;
const source = { address: '192.0.2.8', ehlo_name: null, weight: 1, connections: null, warm_up: warmUp };
const table: RouteTable = {
  version: 1,
  transports: [{ kind: 'direct', name: 'pool', sources: [source] }],
  rules: [],
  percents: new Map(),
};
const day = (date: number, used: number, objected = 0) => ({
  ...{ address: '192.0.2.8', provider: 'google', day: `2026-11-${date}` },
  ...{ used, delivered: used, objected, complained: 0 },
});
const kinds = (...days: readonly ReturnType<typeof day>[]) =>
  warmUpTurns(table, days, NOW).map(({ kind, before, after }) => [kind, before, after]);

describe('the warm-up of an address', () => {
  it('reports no change while it rises or stays', () => {
    expect(kinds()).toEqual([]);
    expect(kinds(day(15, 50), day(16, 100))).toEqual([]);
    expect(kinds(day(15, 50), day(16, 100, 10))).toEqual([]);
  });

  it('reports for two days that the last day bent it down', () => {
    expect(kinds(day(14, 50), day(15, 100), day(16, 150, 60))).toEqual([['bent', 150, 50]]);
    expect(kinds(day(12, 50), day(13, 100), day(14, 150, 60))).toEqual([]);
  });

  it('is complete when the last day was the last step', () => {
    expect(kinds(day(14, 50), day(15, 100), day(16, 150))).toEqual([['done', 150, null]]);
    expect(kinds(day(13, 50), day(14, 100), day(15, 150), day(16, 900))).toEqual([]);
  });
});
