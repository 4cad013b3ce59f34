import { expect, it } from 'vitest';
import { BackupProgress, sizeText } from './progress.ts';

it('reports a line for each table that has rows, and further lines if a table takes long', () => {
  let nowMs = 0;
  const said: (readonly [string, number | undefined])[] = [];
  const tables = [{ name: 'emails' }, { name: 'events' }, { name: 'users' }];
  const sizes = new Map([
    ['emails', 1_000_000],
    ['events', 3_000_000],
  ]);
  const progress = new BackupProgress(
    tables,
    sizes,
    (line, share) => said.push([line, share]),
    () => nowMs,
  );
  progress.begin('emails');
  progress.more(900_000);
  progress.end(1_234, 900_000);
  nowMs = 5_000;
  progress.begin('events');
  progress.more(1_500_000);
  progress.more(100_000);
  progress.end(20_000, 1_600_000);
  progress.begin('users');
  progress.end(0, 0);
  progress.begin('holds');
  progress.end(1, 90);
  expect(said).toEqual([
    ['  emails: 1,234 rows, 900 kB', undefined],
    ['  events: 1.5 MB so far', 0.625],
    ['  events: 20,000 rows, 1.6 MB', undefined],
    ['  holds: 1 row, 1 kB', undefined],
  ]);
});

it('writes sizes with units', () => {
  expect([0, 900, 1_500_000, 2_340_000_000].map(sizeText)).toEqual(['0 kB', '1 kB', '1.5 MB', '2.3 GB']);
});
