import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../runtime/sliced-work.ts';
import { encodingName, type FilePlan, isAttachableType, planFile } from './file-content.ts';
import { writeContent } from './transfer-encoding.ts';

const MARK = '01932e1b-7c2a-7000-8000-0123456789ab';
const planned = (content: string | Buffer, contentType = 'text/csv') =>
  atOnce(planFile({ content: Buffer.from(content as Buffer), contentType }, MARK));

function written({ content }: FilePlan): string {
  const out = Buffer.alloc(content.maxLength + 8, 0x7e);
  const end = atOnce(writeContent(content, out, 4));
  expect(end - 4).toBeLessThanOrEqual(content.maxLength);
  return out.toString('latin1', 4, end);
}

/** Soft breaks out, escapes to octets, and a line end only where one was meant. */
function decoded(plan: FilePlan): Buffer {
  const text = written(plan);
  const name = encodingName(plan.content.encoding);
  if (name === 'base64') return Buffer.from(text, 'base64');
  if (name === '7bit') return Buffer.from(text, 'latin1');
  expect(text.replaceAll('=\r\n', '')).not.toMatch(/[\r\n]/);
  const octets = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}

describe('a text file', () => {
  const lines = 'id,name\n1,Ada Lovelace\n2,Grace Hopper\n';

  it('is not sent in base64, and its line ends stay what they are', () => {
    expect(written(planned(lines))).toBe('id,name=0A=\r\n1,Ada Lovelace=0A=\r\n2,Grace Hopper=0A');
    expect(written(planned('a long line\r\nand another\r\n'))).toBe(
      'a long line=0D=0A=\r\nand another=0D=0A',
    );
  });

  it('has no blank at the end, which could be lost', () => {
    expect(written(planned('ends with a blank '))).toBe('ends with a blank=20');
  });

  it('that is mostly not ASCII is sent in base64, which is shorter', () => {
    expect(planned('日本語の本文').content.encoding).toBe('base64');
  });

  it('arrives octet for octet, in lines of 76 without a blank at their end', () => {
    const unit = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...'abcdefgh =\t.') },
      fc.constantFrom('\r', '\n', '\r\n', 'é', ' \r\n', '\u0000'),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 800 }), (text) => {
        const plan = planned(text);
        for (const line of written(plan).split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76);
          expect(line).not.toMatch(/[ \t]$/);
        }
        expect(decoded(plan)).toEqual(Buffer.from(text));
      }),
      { numRuns: 500 },
    );
  });

  it('of any octets arrives as it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        expect(decoded(planned(Buffer.from(octets), 'text/plain'))).toEqual(Buffer.from(octets));
      }),
    );
  });
});

describe('an attached message', () => {
  const plan = (content: string) => planned(content, 'message/rfc822');

  it('is sent as it is, in lines that end with CRLF', () => {
    expect(plan('From: a@b.c\n\nHello\n')).toMatchObject({ contentType: 'message/rfc822' });
    expect(written(plan('From: a@b.c\n\nHello\n'))).toBe('From: a@b.c\r\n\r\nHello\r\n');
    expect(written(plan('From: a@b.c\r\n\r\nHello'))).toBe('From: a@b.c\r\n\r\nHello');
  });

  it.each([
    ['8-bit octets', 'Subject: é\n\nx'],
    ['a NUL', 'Subject: x\n\n\u0000'],
    ['a line of 999 octets', `Subject: x\n\n${'x'.repeat(999)}`],
    ['a CR alone', 'Subject: x\r\rx'],
    ['two kinds of line ends', 'Subject: x\r\n\nx'],
    ['a boundary of the message around it', `Subject: x\n\n--=_m_${MARK}--`],
  ])('with %s is sent as a file of no type, octet for octet', (_, content) => {
    expect(plan(content)).toMatchObject({ contentType: 'application/octet-stream' });
    expect(decoded(plan(content))).toEqual(Buffer.from(content));
  });

  it('is the only composite type that can be attached', () => {
    expect(['message/rfc822', 'Message/RFC822; x=y', 'image/png'].every(isAttachableType)).toBe(true);
    const others = ['message/partial', 'message/rfc822x', 'multipart/mixed', 'message/delivery-status'];
    expect(others.some(isAttachableType)).toBe(false);
  });
});
