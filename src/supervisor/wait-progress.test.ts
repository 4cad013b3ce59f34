import { expect, it } from 'vitest';
import { WaitProgress } from './wait-progress.ts';

function progress(isStopping: boolean, atMostMs = 600_000) {
  const said: string[] = [];
  const state = { isStopping };
  const say = (line: string) => said.push(line);
  return { said, state, waiting: new WaitProgress({ say, atMostMs, isStopping: () => state.isStopping }) };
}

it('prints how long a stop may take and how to end the wait, then only how many receivers are left', () => {
  const { said, waiting } = progress(true);
  for (const receivers of [40, 40, 3, 1, 0]) waiting.note(receivers);
  expect(said).toEqual([
    expect.stringMatching(
      /^Waiting for 40 receivers .* up to 10 minutes \(POSTRIDER_STOP_TIMEOUT\)\. Stop again/,
    ),
    'Waiting for 3 receivers.',
    'Waiting for 1 receiver.',
  ]);
});

it('prints during a replacement that the new processes are at work, and how to end the wait when a stop follows', () => {
  const { said, state, waiting } = progress(false, 90_000);
  waiting.note(2);
  expect(said).toEqual([
    expect.stringMatching(/up to 90 seconds .*\. The new processes are already at work\.$/),
  ]);
  state.isStopping = true;
  waiting.explain();
  expect(said[1]).toMatch(/^Waiting for 2 receivers .* Stop again/);
});

it('prints nothing when there are no receivers to wait for', () => {
  const { said, waiting } = progress(true);
  waiting.note(0);
  waiting.explain();
  expect(said).toEqual([]);
});
