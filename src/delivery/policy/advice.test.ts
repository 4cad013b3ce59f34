import { expect, it } from 'vitest';
import { RESPONSIBLE } from '../../explain/explain.ts';
import { adviceOn } from './advice.ts';
import { OUTCOME_REASONS } from './reasons.ts';

it.each(Object.keys(OUTCOME_REASONS).filter((reason) => reason !== 'accepted'))(
  'there is advice on %s',
  (reason) => {
    const advice = adviceOn(reason);
    expect(RESPONSIBLE).toContain(advice?.responsible);
    expect(advice?.advice).toMatch(/^[A-Z].*\.$/);
  },
);

it.each([null, 'accepted', 'toString', 'never heard of'])('there is no advice on %s', (reason) => {
  expect(adviceOn(reason)).toBeNull();
});
