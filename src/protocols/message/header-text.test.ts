import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.ts';
import { parameterWords, phraseWords, unstructuredField } from './header-text.ts';

const words = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ maxLength: 90 })),
  { maxLength: 12 },
);
const prose = words.map((list) => list.join(' ').replace(/[\p{Cc}\p{Cs}]/gu, ''));

/** What RFC 2047 says about the shape, whatever the text was. */
function expectLegalLines(field: string): void {
  for (const line of field.split('\r\n')) {
    expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(line.length).toBeLessThanOrEqual(998);
    expect(line.trim()).not.toBe('');
    if (/=\?UTF-8\?/.test(line)) expect(line.length).toBeLessThanOrEqual(76);
    for (const [word] of line.matchAll(/=\?UTF-8\?[^ ]*/g)) expect(word.length).toBeLessThanOrEqual(75);
  }
}

describe('unstructured fields', () => {
  it('leave short ASCII as it is', () => {
    expect(unstructuredField('Subject', 'Your order #17 has shipped')).toBe(
      'Subject: Your order #17 has shipped',
    );
  });

  it('fold long ASCII at spaces and give it back unfolded', () => {
    const text =
      'The quick brown fox  jumps over the lazy dog and then   over the fence and into the next garden';
    const field = unstructuredField('Subject', text);
    expect(field.split('\r\n').length).toBe(2);
    expect(field.replaceAll('\r\n', '')).toBe(`Subject: ${text}`);
  });

  it('write a mostly Latin text as Q words and the rest as B words', () => {
    expect(unstructuredField('Subject', 'Grüße aus der Hauptstadt')).toBe(
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_aus_der_Hauptstadt?=',
    );
    expect(unstructuredField('Subject', '日本語')).toBe('Subject: =?UTF-8?B?5pel5pys6Kqe?=');
  });

  it('encode ASCII that looks like an encoded word', () => {
    expect(unstructuredField('Subject', '=?UTF-8?Q?x?=')).toBe('Subject: =?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?=');
  });

  it('keep a long word whole up to the line limit and encode it beyond', () => {
    const link = `<https://example.com/${'a'.repeat(900)}>`;
    expect(unstructuredField('List-Unsubscribe', link)).toBe(`List-Unsubscribe:\r\n ${link}`);
    expectLegalLines(unstructuredField('Subject', 'a'.repeat(5000)));
  });

  it('drop the spaces around a value and keep an empty one', () => {
    expect(unstructuredField('X-A', '  b ')).toBe('X-A: b');
    expect(unstructuredField('X-A', '   ')).toBe('X-A:');
  });

  it('never cut a code point in two', () => {
    for (const text of ['🎉'.repeat(100), `a${'é'.repeat(200)}`, `ab${'漢'.repeat(99)}`]) {
      const field = unstructuredField('Subject', text);
      for (const [, charset, encoding, payload] of field.matchAll(/=\?(.*?)\?(.)\?(.*?)\?=/g)) {
        expect(charset).toBe('UTF-8');
        const bytes = encoding === 'B' ? Buffer.from(payload as string, 'base64') : fromQ(payload as string);
        expect(bytes.toString('utf8')).not.toContain('\ufffd');
      }
    }
  });

  it('read back as the text, for any text and any field name', async () => {
    const name = fc.string({ unit: fc.constantFrom(...'abcXYZ-'), minLength: 1, maxLength: 70 });
    await fc.assert(
      fc.asyncProperty(name, prose, async (fieldName, text) => {
        const field = unstructuredField(`X${fieldName}`, text);
        expectLegalLines(field);
        const subject = unstructuredField('Subject', text);
        expectLegalLines(subject);
        const parsed = await PostalMime.parse(`${subject}\r\n\r\n`);
        expect((parsed.subject ?? '').trim()).toBe(text.trim());
      }),
    );
  });

  it('stay linear on a long run of spaces', () => {
    const text = `a${' '.repeat(200_000)}b`;
    expect(cpuMs(() => unstructuredField('Subject', text), 2_000)).toBeLessThan(2_000);
  });
});

describe('phrases', () => {
  it.each([
    ['Jane Doe', ['Jane', 'Doe']],
    ['Doe, Jane', ['"Doe, Jane"']],
    ['J. "JD" \\ Doe', ['"J. \\"JD\\" \\\\ Doe"']],
    ['Jane  Doe', ['"Jane  Doe"']],
    ['Jürgen', ['=?UTF-8?Q?J=C3=BCrgen?=']],
  ])('%j is written as %j', (name, expected) => {
    expect(phraseWords(name, 70)).toEqual(expected);
  });
});

describe('file names', () => {
  it.each([
    ['invoice.pdf', ['filename="invoice.pdf"']],
    ['a "b".txt', ["filename*=utf-8''a%20%22b%22.txt"]],
    ['résumé.pdf', ["filename*=utf-8''r%C3%A9sum%C3%A9.pdf"]],
  ])('%j is written as %j', (filename, expected) => {
    expect(parameterWords('filename', filename)).toEqual(expected);
  });

  it('are cut into numbered pieces between code points when they are long', () => {
    const pieces = parameterWords('filename', '報告'.repeat(20));
    expect(pieces.length).toBeGreaterThan(1);
    const values = pieces.map((piece, i) => {
      expect(piece.length).toBeLessThanOrEqual(74);
      expect(piece.startsWith(`filename*${i}*=`)).toBe(true);
      return decodeURIComponent(piece.slice(piece.indexOf('=') + 1).replace("utf-8''", ''));
    });
    expect(values.join('')).toBe('報告'.repeat(20));
  });
});

function fromQ(payload: string): Buffer {
  return Buffer.from(
    payload
      .replaceAll('_', ' ')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
