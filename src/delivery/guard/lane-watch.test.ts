import { describe, expect, it } from 'vitest';
import { LaneWatch } from './lane-watch.ts';

/** The most refusals in a row before the alarm, where the other mail is accepted. */
const MOST_LET_THROUGH = 16;

/** A seeded generator of random numbers. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const lane = (name: string, organizationId = 'org_a', provider = 'google') => ({
  ...{ organizationId, provider, name },
});

const NOW_MS = Date.UTC(2026, 10, 18, 15);

/** The number of the email that raised the alarm; null if none of `most` emails raised one. */
function heldAfter(watch: LaneWatch, name: string, refused: () => boolean, most: number): number | null {
  for (let n = 1; n <= most; n += 1) if (watch.note(lane(name), refused(), NOW_MS)) return n;
  return null;
}

/** `decided` emails of a lane, the first `refused` of which are refused. */
function noteAll(watch: LaneWatch, name: string, refused: number, decided: number, atMs = NOW_MS): void {
  for (let n = 0; n < decided; n += 1) watch.note(lane(name), n < refused, atMs);
}

describe('a lane', () => {
  it('is held in time if all its mail is refused and nine other lanes are accepted', () => {
    const random = randomFrom(3);
    const watch = new LaneWatch();
    for (let n = 0; n < 10_000; n += 1) watch.note(lane(`t${n % 9}`), random() < 0.02, NOW_MS);
    let sent = 0;
    for (let n = 0; ; n += 1) {
      const name = `t${n % 10}`;
      if (name === 't9') sent += 1;
      if (watch.note(lane(name), name === 't9' || random() < 0.02, NOW_MS)) {
        expect(name).toBe('t9');
        break;
      }
    }
    expect(sent).toBeLessThanOrEqual(MOST_LET_THROUGH);
  });

  it('is held in time where several workers share its mail', () => {
    const random = randomFrom(5);
    const workers = Array.from({ length: 4 }, () => new LaneWatch());
    const worker = () => workers[Math.floor(random() * workers.length)] as LaneWatch;
    for (let n = 0; n < 20_000; n += 1) worker().note(lane('well'), random() < 0.02, NOW_MS);
    let refused = 1;
    while (!worker().note(lane('bad'), true, NOW_MS)) refused += 1;
    expect(refused).toBeLessThanOrEqual(workers.length * MOST_LET_THROUGH);
  });

  it.each([0.6, 0.8])(
    'is held within a hundred mails if a share of %f is refused and few refusals are usual',
    (rate) => {
      const random = randomFrom(4);
      const watch = new LaneWatch();
      for (let n = 0; n < 5_000; n += 1) watch.note(lane('well'), random() < 0.01, NOW_MS);
      expect(heldAfter(watch, 'bad', () => random() < rate, 1_000)).toBeLessThanOrEqual(100);
    },
  );

  it('is not held where the organization has too little other mail to the provider', () => {
    const watch = new LaneWatch();
    noteAll(watch, 'well', 0, 19);
    expect(heldAfter(watch, 'bad', () => true, 1_000)).toBeNull();
  });

  it('is held once there is enough other mail, and that mail is accepted', () => {
    const watch = new LaneWatch();
    expect(heldAfter(watch, 'bad', () => true, 100)).toBeNull();
    noteAll(watch, 'well', 0, 20);
    expect(heldAfter(watch, 'bad', () => true, 1)).toBe(1);
  });

  it('is not held while the provider refuses the other mail as well', () => {
    const watch = new LaneWatch();
    for (const name of ['a', 'b', 'c']) noteAll(watch, name, 0, 1_000);
    let held = 0;
    for (let n = 0; n < 300; n += 1) if (watch.note(lane('abc'[n % 3] as string), true, NOW_MS)) held += 1;
    expect(held).toBe(0);
  });

  it('is held although another lane was held and is still refused', () => {
    const watch = new LaneWatch();
    noteAll(watch, 'well', 0, 100);
    noteAll(watch, 'released', 400, 400);
    expect(heldAfter(watch, 'bad', () => true, 1_000)).toBeLessThanOrEqual(MOST_LET_THROUGH);
  });

  it('is not compared with mail of more than a day ago', () => {
    const watch = new LaneWatch();
    noteAll(watch, 'well', 0, 1_000, NOW_MS - 25 * 3_600_000);
    expect(heldAfter(watch, 'bad', () => true, 1_000)).toBeNull();
  });

  it('is not compared with its own mail', () => {
    const watch = new LaneWatch();
    noteAll(watch, 'bad', 0, 1_000);
    expect(heldAfter(watch, 'bad', () => true, 1_000)).toBeNull();
  });

  it('is not compared with the mail of another organization or to another provider', () => {
    const watch = new LaneWatch();
    for (let n = 0; n < 1_000; n += 1) {
      watch.note(lane('well', 'org_b', 'google'), false, NOW_MS);
      watch.note(lane('well', 'org_a', 'yahoo'), false, NOW_MS);
    }
    expect(heldAfter(watch, 'bad', () => true, 1_000)).toBeNull();
  });

  it('is held with the figures that were counted', () => {
    const watch = new LaneWatch();
    noteAll(watch, 'well', 3, 120);
    noteAll(watch, 'bad', 0, 7);
    let refused = 0;
    for (;;) {
      refused += 1;
      const alarm = watch.note(lane('bad'), true, NOW_MS);
      if (alarm === null) continue;
      expect(alarm.lane).toEqual({ refused, decided: refused });
      expect(alarm.others).toEqual({ refused: 3, decided: 120 });
      expect(new Date(alarm.othersSinceMs).toISOString()).toBe('2026-11-18T00:00:00.000Z');
      return;
    }
  });
});
