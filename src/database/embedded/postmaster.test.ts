import { expect, it } from 'vitest';
import { startingWords, syncMethod } from './postmaster.ts';

it('syncs whole file systems if the kernel reports errors, and single files otherwise', () => {
  expect(syncMethod('linux', '6.18.44-fc-v445')).toBe('syncfs');
  expect(syncMethod('linux', '5.8.0-1-generic')).toBe('syncfs');
  expect(syncMethod('linux', '5.4.0-216-generic')).toBe('fsync');
  expect(syncMethod('darwin', '24.1.0')).toBe('fsync');
});

it.each([
  [
    'LOG:  database system was interrupted; last known up at 2026-11-18 20:00:00 UTC',
    'recovering from a crash',
  ],
  [
    'LOG:  database system was not properly shut down; automatic recovery in progress',
    'recovering from a crash',
  ],
  ['LOG:  database system was shut down at 2026-11-18 20:00:00 UTC', 'takes longer than usual'],
  ['', 'takes longer than usual'],
])('says why a start takes long: %s', (lines, words) => {
  expect(startingWords(lines)).toContain(words);
});
