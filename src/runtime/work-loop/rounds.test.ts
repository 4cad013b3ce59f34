import { expect, it } from 'vitest';
import { Rounds } from './rounds.ts';

/** Work whose every round ends when it is told to. */
function workByHand() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { work, begun: () => ends.length, end: (round: number) => ends[round]?.() };
}

it('does rounds by itself once it is started', async () => {
  const { work, begun, end } = workByHand();
  const rounds = new Rounds(work, 1);
  await rounds.start();
  await expect.poll(begun).toBe(1);
  end(0);
  await expect.poll(begun).toBe(2);
  end(1);
  const stopped = rounds.stop();
  await expect.poll(begun).toBeGreaterThan(2);
  end(begun() - 1);
  await stopped;
});

it('never does two rounds at once', async () => {
  const { work, begun, end } = workByHand();
  const rounds = new Rounds(work, 60_000);
  const both = [rounds.now(), rounds.now()];
  expect(begun()).toBe(1);
  end(0);
  await Promise.all(both);
});

it('does one more round when it is stopped in the midst of one, for what was noted meanwhile', async () => {
  const { work, begun, end } = workByHand();
  const rounds = new Rounds(work, 60_000);
  const first = rounds.now();
  const stopped = rounds.stop();
  end(0);
  await first;
  await expect.poll(begun).toBe(2);
  end(1);
  await stopped;
});
