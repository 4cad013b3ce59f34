import { expect, it } from 'vitest';
import { Rounds } from './rounds.ts';

/** Work whose rounds end on request. */
function workByHand() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { work, begun: () => ends.length, end: (round: number) => ends[round]?.() };
}

it('runs rounds automatically once it is started', async () => {
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

it('never runs two rounds at once', async () => {
  const { work, begun, end } = workByHand();
  const rounds = new Rounds(work, 60_000);
  const both = [rounds.now(), rounds.now()];
  expect(begun()).toBe(1);
  end(0);
  await Promise.all(both);
});

it('runs one more round when it is stopped during one, for what was noted meanwhile', async () => {
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
