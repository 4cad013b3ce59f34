import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Flow, type SeenEvent, typesOf } from './flow.ts';

/** A day of retries in a few seconds. */
const SPEED = 20_000;

describe('with the retry clock of the sandbox sped up', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await Flow.start({ POSTRIDER_SANDBOX_SPEED: String(SPEED) });
  });
  afterAll(() => flow.stop());

  it('a greylisted delivery works at the second try', async () => {
    // Five days, or a busy machine could take longer than the day it has.
    const email = await flow.final(await flow.send('greylisted@simulator.test', { expires_in: 432_000 }));
    expect(typesOf(email)).toEqual(['queued', 'processing', 'deferred', 'processing', 'delivered']);
    expect(email.events[2]).toMatchObject({
      smtp_code: 451,
      enhanced_code: '4.7.1',
      reason: 'greylisted',
      attempt: 1,
    });
  });

  it('a delivery that is always deferred waits longer each time and fails when its lifetime is over', async () => {
    // Two days, or a busy machine could get to fewer tries.
    const email = await flow.final(await flow.send('deferred@simulator.test', { expires_in: 172_800 }));
    expect(email.status).toBe('failed');
    const deferrals = email.events.filter((event) => event.type === 'deferred');
    expect(deferrals.length).toBeGreaterThanOrEqual(6);
    const delays = deferrals.map(plannedDelayMs);
    expect(delays.slice(0, 6)).toEqual([...delays.slice(0, 6)].sort((a, b) => a - b));
    expect(email.events.at(-1)).toMatchObject({ type: 'failed', reason: 'lifetime_exceeded' });
  });

  it('a busy server is tried again', async () => {
    const id = await flow.send('busy@simulator.test');
    const email = await flow.when(
      id,
      (seen) => typesOf(seen).filter((type) => type === 'deferred').length >= 2,
    );
    expect(email.events.find((event) => event.type === 'deferred')).toMatchObject({
      smtp_code: 421,
      reason: 'host_busy',
    });
  });

  it('a short lifetime is kept', async () => {
    const email = await flow.final(await flow.send('deferred+otp@simulator.test', { expires_in: 60 }));
    expect(email.status).toBe('failed');
    expect(email.events.filter((event) => event.type === 'deferred').length).toBeLessThanOrEqual(1);
  });
});

function plannedDelayMs(event: SeenEvent): number {
  return Date.parse(event.next_attempt_at ?? '') - Date.parse(event.created_at);
}
