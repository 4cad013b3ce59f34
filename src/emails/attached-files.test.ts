import { describe, expect, it } from 'vitest';
import { turnsOfOthers } from '../../test/support/others-turns.ts';
import { decodeFiles } from './attached-files.ts';

describe('attached files', () => {
  it('are decoded in turns where they are large, and at one go where they are not', async () => {
    const content = 'QUJD'.repeat(5 * 1024 * 1024 - 1);
    expect(await turnsOfOthers(() => decodeFiles([{ filename: 'a', content }]))).toBeGreaterThan(0);
    expect(await turnsOfOthers(() => decodeFiles([{ filename: 'a', content: 'QUJD' }]))).toBe(0);
  });

  it('are whole again at the end', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, i) => i % 251));
    const [file] = await decodeFiles([{ filename: 'a', content: bytes.toString('base64') }]);
    expect(file?.content.equals(bytes)).toBe(true);
  });
});
