import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBody, canonicalField } from './dkim-canonical.ts';

function relaxed(body: string): string {
  return canonicalBody(Buffer.from(body, 'latin1')).toString('latin1');
}

describe('a field in relaxed form', () => {
  it('is the example of RFC 6376, section 3.4.5', () => {
    expect(canonicalField('A: X')).toBe('a:X');
    expect(canonicalField('B : Y\t\r\n\tZ  ')).toBe('b:Y Z');
  });

  it.each([
    ['Subject:', 'subject:'],
    ['Subject:   ', 'subject:'],
    ['Subject:\r\n folded at once', 'subject:folded at once'],
    ['X-Time: 12:30:00', 'x-time:12:30:00'],
    ['X-Tab:\ta \t b', 'x-tab:a b'],
    ['From: tür@example.com', 'from:tür@example.com'],
  ])('%j is %j', (field, canonical) => {
    expect(canonicalField(field)).toBe(canonical);
  });

  it('keeps a no-break space, which is not white space in a header', () => {
    expect(canonicalField('Subject: a\u00a0 \u00a0b\u00a0')).toBe('subject:a\u00a0 \u00a0b\u00a0');
  });
});

describe('a body in relaxed form', () => {
  it('is the example of RFC 6376, section 3.4.5', () => {
    expect(relaxed(' C \r\nD \t E\r\n\r\n\r\n')).toBe(' C\r\nD E\r\n');
  });

  it.each([
    ['', ''],
    ['\r\n', ''],
    ['\r\n\r\n\r\n', ''],
    [' \t\r\n  ', ''],
    ['a', 'a\r\n'],
    ['a  ', 'a\r\n'],
    ['a\r\n', 'a\r\n'],
    ['a\r\n \t\r\n\r\n', 'a\r\n'],
    ['\r\n\r\na\r\n', '\r\n\r\na\r\n'],
    ['.\r\n..\r\n.', '.\r\n..\r\n.\r\n'],
    ['\ta\tb\t\r\n', ' a b\r\n'],
    ['a b \r\n  c\r\n', 'a b\r\n c\r\n'],
    ['a \r b\r\n', 'a \r b\r\n'],
    ['a \n b\r\n', 'a \n b\r\n'],
    ['a \r', 'a \r\r\n'],
  ])('%j is %j', (body, canonical) => {
    expect(relaxed(body)).toBe(canonical);
  });

  it('has the hash that RFC 6376 gives for an empty one', () => {
    expect(hashOf('')).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
  });

  it('has the hash of the signed message in RFC 8463, appendix A', () => {
    const body = 'Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n';
    expect(hashOf(body)).toBe('2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=');
  });

  it('is the same memory when nothing has to change', () => {
    const body = Buffer.from('Hello Jane,\r\n\r\nall is well.\r\n\r\n\r\n');
    const canonical = canonicalBody(body);
    expect(canonical.buffer).toBe(body.buffer);
    expect(canonical.byteOffset).toBe(body.byteOffset);
    expect(canonical.toString()).toBe('Hello Jane,\r\n\r\nall is well.\r\n');
  });

  it('is what the rules say, for any bytes anywhere in memory, and leaves the body itself alone', () => {
    fc.assert(
      fc.property(bodies(), fc.nat({ max: 7 }), (text, offset) => {
        const memory = Buffer.from(' '.repeat(offset) + text + ' '.repeat(9), 'latin1');
        const body = memory.subarray(offset, offset + text.length);
        expect(canonicalBody(body).toString('latin1')).toBe(byTheBook(text));
        expect(body.toString('latin1')).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });

  it('lies in the workspace when it had to change', () => {
    const workspace = Buffer.alloc(100);
    const canonical = canonicalBody(Buffer.from('Hello  Jane \r\n'), workspace);
    expect(canonical.toString()).toBe('Hello Jane\r\n');
    expect(canonical.buffer).toBe(workspace.buffer);
  });
});

function hashOf(body: string): string {
  return createHash('sha256')
    .update(canonicalBody(Buffer.from(body)))
    .digest('base64');
}

function bodies(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(' ', '  ', '\t', '\r\n', '\r', '\n', '.', 'a', 'word', '\x80', 'long text'),
    fc.integer({ min: 0, max: 255 }).map((octet) => String.fromCharCode(octet)),
  );
  return fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
}

/** RFC 6376, section 3.4.4, step by step. */
function byTheBook(body: string): string {
  const squeezed = body.replace(/[ \t]+(?=\r\n|$)/g, '').replace(/[ \t]+/g, ' ');
  const content = squeezed.replace(/(?:\r\n)+$/, '');
  return content === '' ? '' : `${content}\r\n`;
}
