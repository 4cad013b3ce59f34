/** Content that takes several steps: nothing may be lost, doubled or read wrongly where one step ends and the next begins. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce, type SlicedWork } from '../../runtime/sliced-work.ts';
import { dotStuffing } from '../smtp/dot-stuffing.ts';
import { canonicalBody } from './dkim-canonical.ts';
import { planFile } from './file-content.ts';
import { redirectingLinks } from './links/html-links.ts';
import { redirectingTextLinks } from './links/text-links.ts';
import { decodingBase64, decodingQuotedPrintable } from './reading/transfer-decoding.ts';
import { type PlannedContent, planBytes, planText, writeContent } from './transfer-encoding.ts';

const dotStuff = (...args: Parameters<typeof dotStuffing>) => atOnce(dotStuffing(...args));
const redirectLinks = (...args: Parameters<typeof redirectingLinks>) => atOnce(redirectingLinks(...args));
const redirectTextLinks = (...args: Parameters<typeof redirectingTextLinks>) =>
  atOnce(redirectingTextLinks(...args));

/** Just below the sizes of steps, so that whatever follows lies across the end of one. */
const FILLERS = [32 * 1024, 57 * 1024, 64 * 1024, 3 * 57 * 1024].map((size) => size - 12);
const units = ['a', ' ', '  ', '\t', '\r', '\n', '\r\n', '.', '=', '=41', '=\r\n', 'é'];
const around = fc.record({
  filler: fc.constantFrom(...FILLERS),
  text: fc.array(fc.constantFrom(...units), { minLength: 12, maxLength: 40 }).map((all) => all.join('')),
});

function longText(check: (text: string) => void): void {
  fc.assert(fc.property(around, ({ filler, text }) => check(`${'x'.repeat(filler)}${text}end`)));
}

function written(plan: PlannedContent): string {
  const out = Buffer.alloc(plan.maxLength);
  return out.toString('latin1', 0, atOnce(writeContent(plan, out, 0)));
}

const decoded = (steps: SlicedWork<Buffer>) => atOnce(steps).toString();
const withCrlf = (text: string) => text.replace(/\r\n?|\n/g, '\r\n');

function whole(
  decode: (body: Buffer, limit: number) => SlicedWork<Buffer>,
  encoded: Buffer,
): SlicedWork<Buffer> {
  return decode(encoded, encoded.length);
}

describe('content of several steps', () => {
  it('is written as a text that decodes to itself with CRLF', () => {
    longText((text) => {
      const encoded = written(atOnce(planText(text, '--=_')));
      expect(decoded(whole(decodingQuotedPrintable, Buffer.from(encoded)))).toBe(withCrlf(text));
    });
  });

  it('is written as a file that decodes to the same octets', () => {
    longText((text) => {
      const plan = atOnce(planFile({ content: Buffer.from(text), contentType: 'text/plain' }, 'mark'));
      expect(plan.content.encoding).toBe('quoted-printable-exact');
      expect(decoded(whole(decodingQuotedPrintable, Buffer.from(written(plan.content))))).toBe(text);
    });
  });

  it('is written as base64 in lines of 76, and read back from it', () => {
    longText((text) => {
      const encoded = written(planBytes(Buffer.from(text)));
      expect(encoded).toBe(
        Buffer.from(text)
          .toString('base64')
          .replace(/.{76}(?=.)/g, '$&\r\n'),
      );
      expect(decoded(whole(decodingBase64, Buffer.from(encoded)))).toBe(text);
    });
  });

  it('is decoded from base64 as Node does it, whatever stands in between', () => {
    const noise = fc.array(fc.constantFrom('QUJD', 'Q', 'UU', '!', '\r\n', '-_', '+/'), { maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...FILLERS), noise, (filler, pieces) => {
        const text = `${'A'.repeat(filler)}${pieces.join('')}QQ==QUJD`;
        expect(atOnce(whole(decodingBase64, Buffer.from(text))).equals(Buffer.from(text, 'base64'))).toBe(
          true,
        );
      }),
    );
  });

  it('has the canonical body that the rules say', () => {
    longText((text) => {
      const body = withCrlf(text);
      const canonical = body.replace(/[ \t]+(?=\r\n)/g, '').replace(/[ \t]+/g, ' ');
      expect(canonicalBody(Buffer.from(body)).toString()).toBe(`${canonical}\r\n`);
    });
  });

  it('is dot-stuffed line by line', () => {
    longText((text) => {
      const lines = withCrlf(text).split('\r\n');
      const stuffed = lines.map((line) => (line.startsWith('.') ? `.${line}` : line)).join('\r\n');
      expect(dotStuff(Buffer.from(text)).bytes.toString()).toBe(`${stuffed}\r\n`);
      expect(dotStuff(Buffer.from(`${withCrlf(text)}\r\n`)).bytes.toString()).toBe(`${stuffed}\r\n`);
    });
  });

  it('has its links redirected wherever they stand', () => {
    const redirect = (url: string) => `${url}#`;
    for (const filler of FILLERS)
      for (let shift = -24; shift < 24; shift += 1) {
        const text = `${' '.repeat(filler + shift)}https://a.example/b.`;
        expect(redirectTextLinks(text, redirect)).toBe(text.replace('b.', 'b#.'));
        const html = `<p ${' '.repeat(filler + shift)}>x<a id="1" href="https://a.example/b">`;
        expect(redirectLinks(html, redirect)).toBe(html.replace('/b"', '/b#"'));
        const long = `<a ${'i'.repeat(filler + shift)} = 1 href='https://a.example/b'>`;
        expect(redirectLinks(long, redirect)).toBe(long.replace("/b'", "/b#'"));
      }
  });
});
