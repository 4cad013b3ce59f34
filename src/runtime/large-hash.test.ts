import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { turnsOfOthers } from '../../test/support/others-turns.ts';
import { sha256InTurns } from './large-hash.ts';

const MEBIBYTE = 1024 * 1024;

describe('sha256InTurns', () => {
  it.each([0, 1, 128 * 1024, 128 * 1024 + 1, 8 * MEBIBYTE, 8 * MEBIBYTE + 1, 9 * MEBIBYTE + 7])(
    'hashes %i bytes like other implementations',
    async (length) => {
      const bytes = Buffer.alloc(length, 'abc\r\n');
      const expected = createHash('sha256').update(bytes);
      expect(await sha256InTurns(bytes, 'hex')).toBe(expected.copy().digest('hex'));
      expect(await sha256InTurns(bytes, 'base64')).toBe(expected.digest('base64'));
    },
  );

  it('yields to the event loop while it hashes 40 MiB', async () => {
    const bytes = Buffer.alloc(40 * MEBIBYTE, 1);
    expect(await turnsOfOthers(() => sha256InTurns(bytes, 'hex'))).toBeGreaterThan(3);
  });
});
