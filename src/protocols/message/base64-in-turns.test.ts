import { describe, expect, it } from 'vitest';
import { turnsOfOthers } from '../../../test/support/others-turns.ts';
import { decodeBase64, withoutSpaces } from './base64-in-turns.ts';

describe('base64', () => {
  it('is decoded in turns where it is large, and at one go where it is not', async () => {
    const large = 'QUJD'.repeat(5 * 1024 * 1024 - 1);
    expect(await turnsOfOthers(() => decodeBase64(large))).toBeGreaterThan(0);
    expect(await turnsOfOthers(() => decodeBase64('QUJD'))).toBe(0);
  });

  it('is whole again at the end', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251));
    expect((await decodeBase64(bytes.toString('base64')))?.equals(bytes)).toBe(true);
  });

  it('is freed of its line ends, and of nothing else', async () => {
    const lines = 'QUJD\r\nRE VG\n\tR0hJ=é\u{1f600}';
    expect(await withoutSpaces('A\n'.repeat(400_000))).toBe('A'.repeat(400_000));
    expect(await decodeBase64(await withoutSpaces(lines))).toBeNull();
    expect(await withoutSpaces(lines.slice(0, -3))).toBe('QUJDREVGR0hJ=');
  });
});
