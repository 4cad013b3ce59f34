/** A million emails whose share of refusals does not change: the guard has no reason to hold any of them. */
import { describe, expect, it } from 'vitest';
import { LaneWatch } from '../../src/delivery/guard/lane-watch.ts';
import { Random } from '../fuzz/random.ts';

const NOW_MS = Date.UTC(2026, 10, 18, 15);

describe('a lane', () => {
  it.each([0, 0.02, 0.2, 0.5])(
    'is never held in a million steady mails of ten templates to three providers, %f of them refused',
    (rate) => {
      const random = new Random(1);
      const watch = new LaneWatch();
      let held = 0;
      for (let n = 0; n < 1_000_000; n += 1) {
        const provider = ['google', 'yahoo', 'microsoft'][n % 3] as string;
        const lane = { organizationId: 'org_a', provider, name: `t${n % 10}` };
        if (watch.note(lane, random.chance(rate), NOW_MS)) held += 1;
      }
      expect(held).toBe(0);
    },
  );

  it('is not held at the start of organizations whose mail is refused more than usual', () => {
    const random = new Random(2);
    let held = 0;
    for (let organization = 0; organization < 2_000; organization += 1) {
      const watch = new LaneWatch();
      for (let n = 0; n < 500; n += 1) {
        const lane = { organizationId: `org_${organization}`, provider: 'google', name: `t${n % 2}` };
        if (watch.note(lane, random.chance(0.2), NOW_MS)) held += 1;
      }
    }
    expect(held).toBe(0);
  });
});
