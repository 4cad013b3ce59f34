import { expect, it } from 'vitest';
import { syncMethod } from './postmaster.ts';

it('syncs whole file systems where the kernel tells of errors, and files one by one elsewhere', () => {
  expect(syncMethod('linux', '6.18.44-fc-v445')).toBe('syncfs');
  expect(syncMethod('linux', '5.8.0-1-generic')).toBe('syncfs');
  expect(syncMethod('linux', '5.4.0-216-generic')).toBe('fsync');
  expect(syncMethod('darwin', '24.1.0')).toBe('fsync');
});
