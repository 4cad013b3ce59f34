import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../runtime/sliced-work.ts';
import { type PlannedContent, planBytes, planText, writeContent } from './transfer-encoding.ts';

const MARK = '--=_';

function written(content: PlannedContent): string {
  const out = Buffer.alloc(content.maxLength + 8, 0x7e);
  const end = atOnce(writeContent(content, out, 4));
  expect(end - 4).toBeLessThanOrEqual(content.maxLength);
  expect(out.toString('latin1', 0, 4)).toBe('~~~~');
  return out.toString('latin1', 4, end);
}

function fromQuotedPrintable(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

describe('quoted-printable', () => {
  it.each([
    ['a=b and ASCII é', 'a=3Db and ASCII =C3=A9'],
    ['é \nb\t\r\nthe end ', '=C3=A9=20\r\nb=09\r\nthe end=20'],
    [`é${'x'.repeat(69)}\nend`, `=C3=A9${'x'.repeat(69)}\r\nend`],
    [`é${'x'.repeat(70)}`, `=C3=A9${'x'.repeat(69)}=\r\nx`],
  ])('writes %j as %j', (text, expected) => {
    expect(written(atOnce(planText(text, MARK)))).toBe(expected);
  });

  it('keeps to 76 columns, leaves no blank at a line end and decodes to the text with CRLF', () => {
    const unit = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...'abc =\t.') },
      fc.constantFrom('\r', '\n', '\r\n', 'é', '漢'),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 600 }), (text) => {
        const content = atOnce(planText(`${text}${'x'.repeat(200)}é`, MARK));
        fc.pre(content.encoding === 'quoted-printable');
        const encoded = written(content);
        for (const line of encoded.split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76);
          expect(line).not.toMatch(/[ \t]$/);
        }
        expect(fromQuotedPrintable(encoded)).toBe(
          content.bytes.toString('utf8').replace(/\r\n?|\n/g, '\r\n'),
        );
      }),
    );
  });
});

describe('base64', () => {
  it('is what Node writes, in lines of 76', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (array) => {
        const bytes = Buffer.from(array);
        const lines = bytes.toString('base64').match(/.{1,76}/g) ?? [];
        expect(written(planBytes(bytes))).toBe(lines.join('\r\n'));
      }),
    );
  });

  it('of a text carries CRLF line ends', () => {
    const encoded = written(atOnce(planText('漢\r字\nか\r\nな', MARK)));
    expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe('漢\r\n字\r\nか\r\nな');
  });
});

describe('7bit', () => {
  it('turns every line end into CRLF and touches nothing else', () => {
    expect(written(atOnce(planText('a\rb\nc\r\n\n\r.\n d ', MARK)))).toBe('a\r\nb\r\nc\r\n\r\n\r\n.\r\n d ');
  });

  it('is not used for a text with a control character, a long line or the mark', () => {
    expect(atOnce(planText(`a\u0000${'b'.repeat(20)}`, MARK)).encoding).toBe('quoted-printable');
    expect(atOnce(planText('a'.repeat(77), MARK)).encoding).toBe('quoted-printable');
    expect(atOnce(planText('a\n--=_m', MARK)).encoding).toBe('quoted-printable');
    expect(atOnce(planText('a'.repeat(76), MARK)).encoding).toBe('7bit');
  });
});
