import { describe, expect, it } from 'vitest';
import { badByte } from './bad-byte.ts';

const judge = (text: string) => badByte(Buffer.from(text, 'latin1'));

describe('the bytes of a message', () => {
  it.each(['', 'a\r\n', 'a\r\n\r\nb\r\n', 'no end', '\xff\xfe\r\n'])('may be %j', async (text) => {
    expect(await judge(text)).toBeNull();
  });

  it.each([
    ['a\nb\r\n', 'LF without CR in line 1'],
    ['a\r\n.\nMAIL FROM:<x@y>\r\n', 'LF without CR in line 2'],
    ['a\rb\r\n', 'CR without LF in line 1'],
    ['a\r\nb\r\nc\r', 'CR without LF in line 3'],
    ['a\r\r\n', 'CR without LF in line 1'],
    ['a\r\n\n', 'LF without CR in line 2'],
    ['a\r\nb\0\r\n', 'NUL in line 2'],
  ])('may not be %j', async (text, words) => {
    expect(await judge(text)).toContain(words);
  });

  it('are looked at in turns, so that nobody waits for a message of empty lines', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    });
    await judge('\r\n'.repeat(4 * 1024 * 1024));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });
});
