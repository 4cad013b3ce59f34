import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageReader } from './message-reader.ts';

const KEEP = 1 << 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is alive: objects, and the memory of buffers. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What is read, and what is left over; null when the message has no end. */
function read(wire: Buffer, sizes: readonly number[] = [wire.length], keep = KEEP) {
  const reader = new MessageReader(keep);
  let start = 0;
  for (let i = 0; start < wire.length; i += 1) {
    const end = Math.min(start + (sizes[i % sizes.length] ?? wire.length), wire.length);
    const after = reader.take(wire.subarray(start, end));
    if (after !== null) {
      return {
        head: reader.head().toString('latin1'),
        size: reader.size,
        after: after.length + wire.length - end,
      };
    }
    start = end;
  }
  return null;
}

const text = (wire: string) => read(Buffer.from(wire, 'latin1'));

describe('the end of a message', () => {
  it.each([
    ['LF dot LF', 'a\n.\nMAIL FROM:<x@y>\r\n'],
    ['LF dot CRLF', 'a\n.\r\nb\r\n'],
    ['CRLF dot LF', 'a\r\n.\nb\r\n'],
    ['CR dot CR', 'a\r.\rb\r\n'],
    ['CRLF dot CR', 'a\r\n.\rb\r\n'],
    ['CR dot CRLF', 'a\r.\r\nb\r\n'],
    ['CRLF dot CR CRLF', 'a\r\n.\r\r\nb\r\n'],
    ['LF LF dot CRLF', 'a\n\n.\r\nb\r\n'],
    ['NUL between', 'a\r\n\0.\r\nb\r\n'],
    ['a space behind the dot', 'a\r\n. \r\nb\r\n'],
  ])('is not %s', (_name, wire) => {
    expect(text(wire)).toBeNull();
    expect(text(`${wire}.\r\n`)).not.toBeNull();
  });

  it('is CRLF dot CRLF, also right at the beginning', () => {
    expect(text('a\r\n.\r\nQUIT\r\n')).toEqual({ head: 'a\r\n', size: 3, after: 6 });
    expect(text('.\r\n')).toEqual({ head: '', size: 0, after: 0 });
    expect(text('a\r\n\r\n.\r\n')).toMatchObject({ head: 'a\r\n\r\n' });
  });

  it('is found wherever the bytes are torn apart, and what was stuffed is what comes out', () => {
    const piece = fc.constantFrom('.', '\r', '\n', '\r\n', '.\r\n', '..', 'a', '\0', '\xff');
    const body = fc.array(piece, { maxLength: 30 }).map((parts) => `${parts.join('')}\r\n`);
    fc.assert(
      fc.property(body, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (content, sizes) => {
        const stuffed = content.replace(/(^|\r\n)\./g, '$1..');
        const wire = Buffer.from(`${stuffed}.\r\nNOOP\r\n`, 'latin1');
        expect(read(wire, sizes)).toEqual({ head: content, size: content.length, after: 6 });
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['of lines that begin with a dot', '.a\r\n'],
    ['of nothing but dots', '..\r\n'],
    ['of held back ends', '.\ra'],
    ['of one byte at a time', 'a'],
  ])('holds one buffer, also %s', (_name, line) => {
    const keep = 256 * 1024;
    const wire = Buffer.from(line.repeat(Math.ceil((2 * keep) / line.length)));
    const reader = new MessageReader(keep);
    const heldBefore = heldBytes();
    for (let at = 0; at < wire.length; at += 7) reader.take(wire.subarray(at, at + 7));
    const held = heldBytes() - heldBefore;
    expect(reader.head().length).toBe(keep);
    expect(held).toBeLessThan(2 * keep);
  });

  it('keeps no more than it may, and still counts', () => {
    const wire = Buffer.from(`${'0123456789'.repeat(1_000)}\r\n.\r\n`);
    expect(read(wire, [7], 15)).toEqual({ head: '012345678901234', size: 10_002, after: 0 });
  });
});
