import { describe, expect, it } from 'vitest';
import { diskWords } from './status-command.ts';

const disk = { folder: '/srv/data', totalBytes: 80e9 };

describe('the status says of the disk', () => {
  it.each([
    ['fine', 40e9, '40.0 of 80.0 GB free (50%) under /srv/data'],
    ['low', 7.9e9, '7.9 of 80.0 GB free (9%) under /srv/data: low'],
    ['full', 0.5e9, '0.5 of 80.0 GB free (0%) under /srv/data: nearly full, new mail is refused'],
  ] as const)('that it is %s', (state, freeBytes, words) => {
    expect(diskWords({ ...disk, freeBytes, state })).toBe(words);
  });
});
