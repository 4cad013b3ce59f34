import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.ts';
import { atOnce } from '../../../runtime/sliced-work.ts';
import {
  decodingBase64,
  decodingQuotedPrintable,
  endingLines,
  sizingBase64,
  sizingQuotedPrintable,
} from './transfer-decoding.ts';

const PIECE = 64 * 1024;
const inLines = (bytes: Buffer, width: number) =>
  Buffer.from(bytes.toString('base64').replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n'));

describe('base64 in slices', () => {
  it('gives the bytes back, however long its lines are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * PIECE }),
        fc.integer({ min: 1, max: 100 }),
        (length, width) => {
          const bytes = Buffer.alloc(length, 'any bytes at all');
          const body = inLines(bytes, width);
          expect(atOnce(decodingBase64(body, body.length)).equals(bytes)).toBe(true);
          expect(atOnce(sizingBase64(body))).toBe(length);
        },
      ),
      runs(30),
    );
  });

  it('reads what is no base64 as Node.js does', () => {
    const garbage = fc.array(fc.constantFrom('QUJD', 'Q', '=', '==', '\r\n', ' ', '!', '-', '_', '\0', 'é'));
    fc.assert(
      fc.property(garbage, (pieces) => {
        const body = Buffer.from(pieces.join(''), 'latin1');
        const whole = Buffer.from(body.toString('latin1').replace(/=.*/s, ''), 'base64');
        expect(atOnce(decodingBase64(body, 1_000))).toEqual(whole);
      }),
      runs(300),
    );
  });

  it('stops at its limit', () => {
    const body = inLines(Buffer.alloc(3 * PIECE, 'x'), 76);
    expect(atOnce(decodingBase64(body, PIECE + 1)).toString()).toBe('x'.repeat(PIECE + 1));
  });
});

describe('line ends in slices', () => {
  it('are LF instead of CRLF, wherever slices end', () => {
    const pieces = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a'), { maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: PIECE - 10, max: PIECE }), pieces, (before, end) => {
        const text = `\r\n${'x'.repeat(before)}${end.join('')}`;
        const read = atOnce(endingLines(Buffer.from(text))).toString();
        expect(read === text.replaceAll('\r\n', '\n')).toBe(true);
      }),
    );
  });
});

describe('quoted-printable in slices', () => {
  it.each([
    ['an escape', '=41'],
    ['a soft line break', '=\r\n'],
  ])('is the same where %s lies on the edge of a slice', (_what, piece) => {
    for (let before = PIECE - 3; before <= PIECE; before += 1) {
      const body = Buffer.from(`${'x'.repeat(before)}${piece}y`);
      const expected = `${'x'.repeat(before)}${piece === '=41' ? 'A' : ''}y`;
      expect(atOnce(decodingQuotedPrintable(body, body.length)).toString()).toBe(expected);
      expect(atOnce(sizingQuotedPrintable(body))).toBe(expected.length);
    }
  });
});
