import { expect, it } from 'vitest';
import { liveLineOn, TaskProgress } from './progress.ts';

function progressOn(isTerminal: boolean) {
  let nowMs = 0;
  const lines: string[] = [];
  const shown: string[] = [];
  const live = { show: (text: string) => void shown.push(text), clear: () => undefined };
  const progress = new TaskProgress({
    live: isTerminal ? live : undefined,
    out: (line) => lines.push(line),
    nowMs: () => nowMs,
  });
  const report = (atMs: number, line: string, share: number) => {
    nowMs = atMs;
    progress.report(line, share);
  };
  return { lines, shown, report };
}

it('shows the percentage and the remaining time in one line of a terminal', () => {
  const { lines, shown, report } = progressOn(true);
  report(0, 'emails: 0 kB', 0);
  report(50, 'emails: 1 kB', 0.001);
  report(10_000, 'emails: 9 MB', 0.25);
  expect(shown).toEqual(['emails: 0 kB (0 %)', 'emails: 9 MB (25 %, about 30 s left)']);
  expect(lines).toEqual([]);
});

it('prints a line every 5 s without a terminal', () => {
  const { lines, report } = progressOn(false);
  for (const second of [0, 1, 2, 3, 4, 5, 6]) report(second * 1_000, `step ${second}`, second / 10);
  expect(lines).toEqual(['step 5 (50 %, about 5 s left)']);
});

it('estimates from where it resumed, and starts over when another task begins', () => {
  const { shown, report } = progressOn(true);
  report(0, 'going on', 0.5);
  report(10_000, 'going on', 0.75);
  expect(shown.at(-1)).toBe('going on (75 %, about 10 s left)');
  report(11_000, 'the next cell', 0);
  report(21_000, 'the next cell', 0.5);
  expect(shown.at(-1)).toBe('the next cell (50 %, about 10 s left)');
});

it('rewrites the line of a terminal, cut to its width, and clears it once', () => {
  let written = '';
  const live = liveLineOn({ columns: 10, write: (text: string) => (written += text) });
  live.clear();
  live.show('0123456789abc');
  live.show('short');
  live.clear();
  live.clear();
  expect(written).toBe('\r\u001b[2K012345678\r\u001b[2Kshort\r\u001b[2K');
});
