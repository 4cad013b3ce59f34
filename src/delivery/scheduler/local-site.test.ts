import { expect, it } from 'vitest';
import { HOUR_MS } from '../../runtime/durations.ts';
import { LocalSite } from './local-site.ts';
import { fixedPolicy } from './site.ts';
import { ALL_WELL } from './site-condition.ts';

it('claims no more for a site because the clock was set back', async () => {
  const site = {
    kind: 'hosts',
    name: 'mx.example.net',
    provider: 'other',
    policy: fixedPolicy(2, 'none'),
  } as const;
  const state = new LocalSite(site, ALL_WELL, { connections: 2, mayProbe: true, perMinute: null }, 1);
  const room = state.room(HOUR_MS, false);
  for (let second = 0; second < 60; second += 1) {
    expect(await state.takeSlot(second * 1_000)).toBe(true);
    state.freeSlot(second * 1_000);
  }
  expect(state.room(60_000, false)).toBe(room);
});
