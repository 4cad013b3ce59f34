import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarize } from './summary.ts';

describe('summarize', () => {
  it('reads the headers only', () => {
    const raw = Buffer.from('X-Subject: no\r\nFROM: A <a@b.test>\r\nsubject:  yes \r\n\r\nSubject: body\r\n');
    expect(summarize(raw)).toEqual({ fromEmail: 'a@b.test', fromName: 'A', subject: 'yes' });
  });

  it('is empty where a header is missing', () => {
    expect(summarize(Buffer.from('\r\nFrom: a@b.test\r\n'))).toEqual({
      fromEmail: '',
      fromName: null,
      subject: '',
    });
  });

  it('accepts any bytes, and returns text that can be stored and shown on one line', () => {
    const headers = fc.tuple(fc.constantFrom('Subject: ', 'From: ', ''), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(headers), (lines) => {
        const raw = Buffer.from(`${lines.map((line) => line.join('')).join('\r\n')}\r\n\r\n`);
        const { fromEmail, fromName, subject } = summarize(raw);
        expect(`${fromEmail}${fromName}${subject}`).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('removes control characters from encoded words', () => {
    const raw = Buffer.from('Subject: =?utf-8?Q?a=00=0D=0AX-Evil:_b?=\r\n\r\n');
    expect(summarize(raw).subject).toBe('a X-Evil: b');
  });
});
