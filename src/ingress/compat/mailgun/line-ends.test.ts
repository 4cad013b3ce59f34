import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withLineEnds } from './line-ends.ts';

const read = async (text: string) => (await withLineEnds(Buffer.from(text, 'latin1'))).toString('latin1');

describe('the line ends of a message', () => {
  it('become CRLF where all of them are LF', async () => {
    const piece = fc.constantFrom(
      '\n',
      'a',
      'a line that is longer than those that are looked at byte by byte',
      '',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        expect(await read(pieces.join(''))).toBe(pieces.join('').replaceAll('\n', '\r\n'));
      }),
    );
    const long = `${'x'.repeat(1_000)}\n`.repeat(1_000);
    expect(await read(long)).toBe(long.replaceAll('\n', '\r\n'));
  });

  it('stay unchanged where there is a CR', async () => {
    expect(await read('a\r\nb\nc')).toBe('a\r\nb\nc');
  });

  it('do not make a message exceed the size limit', async () => {
    await expect(read('\n'.repeat(11 * 1024 * 1024))).rejects.toThrow(
      'message: must not be larger than 20 MiB',
    );
  });
});
