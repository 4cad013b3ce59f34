import { describe, expect, it } from 'vitest';
import { LaneWatch, MOST_LET_THROUGH } from './lane-watch.ts';

/** The same numbers at every run. */
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

/** After how many mails of a lane it is held; null where it is not within so many. */
function heldAfter(watch: LaneWatch, name: string, refused: () => boolean, most: number): number | null {
  for (let n = 1; n <= most; n += 1) if (watch.note(lane(name), refused())) return n;
  return null;
}

describe('a lane', () => {
  it.each([0, 0.02, 0.2, 0.5])(
    'is never held in a million steady mails of ten templates to three providers, %f of them refused',
    (rate) => {
      const random = randomFrom(1);
      const watch = new LaneWatch();
      let held = 0;
      for (let n = 0; n < 1_000_000; n += 1) {
        const provider = ['google', 'yahoo', 'microsoft'][n % 3] as string;
        if (watch.note(lane(`t${n % 10}`, 'org_a', provider), random() < rate)) held += 1;
      }
      expect(held).toBe(0);
    },
    60_000,
  );

  it('is not held at the start of organizations whose mail is refused more than usual', () => {
    const random = randomFrom(2);
    let held = 0;
    for (let organization = 0; organization < 2_000; organization += 1) {
      const watch = new LaneWatch();
      for (let n = 0; n < 500; n += 1)
        if (watch.note(lane('t', `org_${organization}`), random() < 0.2)) held += 1;
    }
    expect(held).toBe(0);
  });

  it('that is refused altogether is held in time, among nine that are well', () => {
    const random = randomFrom(3);
    const watch = new LaneWatch();
    for (let n = 0; n < 10_000; n += 1) watch.note(lane(`t${n % 9}`), random() < 0.02);
    let sent = 0;
    for (let n = 0; ; n += 1) {
      const name = `t${n % 10}`;
      if (name === 't9') sent += 1;
      if (watch.note(lane(name), name === 't9' || random() < 0.02)) {
        expect(name).toBe('t9');
        break;
      }
    }
    expect(sent).toBeLessThanOrEqual(MOST_LET_THROUGH);
  });

  it('is held in time by one of several workers, each of which lets through what one may', () => {
    const random = randomFrom(5);
    const workers = Array.from({ length: 4 }, () => new LaneWatch());
    const worker = () => workers[Math.floor(random() * workers.length)] as LaneWatch;
    for (let n = 0; n < 20_000; n += 1) worker().note(lane('well'), random() < 0.02);
    let refused = 1;
    while (!worker().note(lane('bad'), true)) refused += 1;
    expect(refused).toBeLessThanOrEqual(workers.length * MOST_LET_THROUGH);
  });

  it('that is refused from the very first mail on is held in time, too', () => {
    expect(heldAfter(new LaneWatch(), 'new', () => true, 1_000)).toBeLessThanOrEqual(3 * MOST_LET_THROUGH);
  });

  it.each([0.6, 0.8])(
    'of which %f is refused is held within a hundred mails, where little is usually',
    (rate) => {
      const random = randomFrom(4);
      const watch = new LaneWatch();
      for (let n = 0; n < 5_000; n += 1) watch.note(lane('well'), random() < 0.01);
      expect(heldAfter(watch, 'bad', () => random() < rate, 1_000)).toBeLessThanOrEqual(100);
    },
  );

  it('is judged by the mail of its own organization to its own provider', () => {
    const watch = new LaneWatch();
    for (let n = 0; n < 1_000; n += 1) watch.note(lane('t', 'org_b', 'google'), false);
    for (let n = 0; n < 5; n += 1) watch.note(lane('t', 'org_a', 'google'), true);
    expect(watch.note(lane('t', 'org_b', 'google'), true)).toBe(false);
    expect(watch.note(lane('t', 'org_a', 'yahoo'), true)).toBe(false);
  });
});
