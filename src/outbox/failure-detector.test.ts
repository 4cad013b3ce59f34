import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailureDetector, type ObservedWorker } from './failure-detector.ts';

const LEASE_MS = 15_000;
const GAP_MS = 6_000;
const at = (ms: number) => ({ askedMs: ms, readMs: ms });

function watch(looks: readonly { atMs: number; seen: readonly ObservedWorker[] }[]): number[][] {
  const detector = new FailureDetector(LEASE_MS, GAP_MS);
  return looks.map(({ atMs, seen }) => detector.look(seen, at(atMs)).map(({ epoch }) => epoch));
}

const every3s = (count: number) => Array.from({ length: count }, (_, index) => index * 3_000);

describe('the failure detector', () => {
  it('reports a worker as dead after a whole observed lease without a heartbeat', () => {
    const found = watch(every3s(6).map((atMs) => ({ atMs, seen: [{ epoch: 1, beat: 'a' }] })));
    expect(found).toEqual([[], [], [], [], [], [1]]);
  });

  it('reports no worker as dead at the first check, however old the heartbeat is', () => {
    expect(watch([{ atMs: 1e9, seen: [{ epoch: 1, beat: 'long ago' }] }])).toEqual([[]]);
  });

  it('grants a worker another lease after one heartbeat', () => {
    const looks = every3s(9).map((atMs) => ({
      atMs,
      seen: [{ epoch: 1, beat: atMs < 12_000 ? 'a' : 'b' }],
    }));
    expect(watch(looks).flat()).toEqual([]);
  });

  it('starts again after its own process slept', () => {
    const looks = [0, 3_000, 6_000, 60_000, 63_000].map((atMs) => ({
      atMs,
      seen: [{ epoch: 1, beat: 'a' }],
    }));
    expect(watch(looks).flat()).toEqual([]);
  });

  it('starts again after an interruption', () => {
    const detector = new FailureDetector(LEASE_MS, GAP_MS);
    const seen = [{ epoch: 1, beat: 'a' }];
    for (const ms of [0, 3_000, 6_000, 9_000, 12_000]) detector.look(seen, at(ms));
    detector.interrupt();
    expect(detector.look(seen, at(15_000))).toEqual([]);
    expect(detector.look(seen, at(18_000))).toEqual([]);
  });

  it('measures from the receipt of an answer to the start of the next query', () => {
    const detector = new FailureDetector(LEASE_MS, GAP_MS);
    const seen = [{ epoch: 1, beat: 'a' }];
    detector.look(seen, { askedMs: 0, readMs: 4_000 });
    for (const ms of [7_000, 10_000, 13_000, 16_000]) detector.look(seen, at(ms));
    expect(detector.look(seen, { askedMs: 18_500, readMs: 20_000 })).toEqual([]);
    expect(detector.look(seen, at(21_000))).toEqual(seen);
  });

  it('watches an unregistered holder like any other', () => {
    const found = watch(every3s(6).map((atMs) => ({ atMs, seen: [{ epoch: 9, beat: null }] })));
    expect(found.at(-1)).toEqual([9]);
  });

  it('never reports a worker that beat within the lease, whatever pauses occurred', () => {
    const steps = fc.array(fc.record({ pauseMs: fc.integer({ min: 1, max: 40_000 }), beats: fc.boolean() }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (taken) => {
        const detector = new FailureDetector(LEASE_MS, GAP_MS);
        let [nowMs, beatMs] = [0, 0];
        for (const { pauseMs, beats } of taken) {
          nowMs += pauseMs;
          if (beats) beatMs = nowMs;
          const dead = detector.look([{ epoch: 1, beat: String(beatMs) }], at(nowMs)).length > 0;
          if (dead) expect(nowMs - beatMs).toBeGreaterThanOrEqual(LEASE_MS);
        }
      }),
    );
  });
});
