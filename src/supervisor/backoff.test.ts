import { describe, expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

function withClock() {
  const clock = { ms: 0 };
  return { clock, backoff: new Backoff(() => clock.ms) };
}

describe('the delay before a restart', () => {
  it('doubles up to a limit while the process keeps crashing', () => {
    const { backoff } = withClock();
    const delays = Array.from({ length: 9 }, () => {
      backoff.started();
      return backoff.nextDelayMs();
    });
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  it('stays short for a process that started successfully, however often it ends', () => {
    const { clock, backoff } = withClock();
    for (let i = 0; i < 8; i++) backoff.nextDelayMs();
    backoff.started();
    clock.ms += 1_501;
    expect(backoff.nextDelayMs()).toBe(1_000);
    backoff.started();
    expect(backoff.nextDelayMs()).toBe(2_000);
  });

  it('starts over for a process that worked for some seconds before it ended', () => {
    const { clock, backoff } = withClock();
    for (let i = 0; i < 5; i++) backoff.nextDelayMs();
    backoff.started();
    clock.ms += 5_001;
    expect(backoff.nextDelayMs()).toBe(250);
  });
});
