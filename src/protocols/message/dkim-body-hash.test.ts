import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { canonicalBody } from './dkim-canonical.ts';
import { BodyHashes } from './dkim-verify.ts';

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('base64');
const PIECE = 64 * 1024;

/** Text in which all that matters is likely. */
const bodies = fc
  .array(fc.constantFrom(' ', '\t', '\r\n', '\r', '\n', 'a', 'bc', '.'), { maxLength: 60 })
  .map((pieces) => pieces.join(''));

describe('the hash of a body', () => {
  it('in the relaxed form is that of what signing makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (text) => {
        const body = Buffer.from(text);
        expect(await new BodyHashes(body).of('relaxed')).toBe(hashOf(canonicalBody(body)));
      }),
      runs(500),
    );
  });

  it('in the simple form is that of the body with one line end', async () => {
    for (const [body, signed] of [
      ['', '\r\n'],
      ['\r\n\r\n', '\r\n'],
      ['a', 'a\r\n'],
      ['a \r\n\r\n\r\n', 'a \r\n'],
      ['a\r\n \r\n', 'a\r\n \r\n'],
    ] as const)
      expect(await new BodyHashes(Buffer.from(body)).of('simple')).toBe(hashOf(signed));
  });

  it.each([
    ['blanks that begin in one piece and end in another', `${'x'.repeat(PIECE - 2)}    y\r\n`],
    ['blanks before a line end in another', `${'x'.repeat(PIECE - 2)}   \r\ny\r\n`],
    ['a line end in two', `${'x'.repeat(PIECE - 1)}\r\n\r\ny`],
    ['a piece of nothing but blanks', `x${' '.repeat(3 * PIECE)}y\r\n`],
    ['pieces of nothing at the end', `x${'\r\n \t'.repeat(PIECE)}`],
  ])('is right for %s', async (_what, text) => {
    const body = Buffer.from(text);
    expect(await new BodyHashes(body).of('relaxed')).toBe(hashOf(canonicalBody(body)));
  });
});
