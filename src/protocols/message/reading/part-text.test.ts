import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeaderText } from './encoded-words.ts';
import { decodedBytes, partText } from './part-text.ts';
import { splitMessage } from './split-message.ts';
import { decodeQuotedPrintable } from './transfer-decoding.ts';

const part = (headers: string, body: string | Buffer) => {
  const [only] = splitMessage(
    Buffer.concat([Buffer.from(`${headers}\r\n\r\n`), Buffer.from(body as string)]),
  ).parts;
  if (only === undefined) throw new Error('no part');
  return only;
};

describe('the text of a part', () => {
  it.each([
    ['a=20b=\r\nc', 'a bc'],
    ['=C3=A4=c3=a4', 'ää'],
    ['100=% =G1 =', '100=% =G1 ='],
    ['soft=\nbreak', 'softbreak'],
  ])('undoes quoted-printable %j', (encoded, decoded) => {
    expect(decodeQuotedPrintable(Buffer.from(encoded)).toString()).toBe(decoded);
  });

  it('undoes any quoted-printable that escapes every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const encoded = [...bytes].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('');
        expect(decodeQuotedPrintable(Buffer.from(encoded)).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  it('undoes base64 over several lines', () => {
    expect(partText(part('Content-Transfer-Encoding: BASE64', 'aGVs\r\nbG8=\r\n'))).toBe('hello');
  });

  it('decodes no more than its limit', () => {
    const encoded = Buffer.alloc(3_000, 'x').toString('base64');
    expect(decodedBytes(part('Content-Transfer-Encoding: base64', encoded), 100)).toHaveLength(100);
    expect(
      decodedBytes(part('Content-Transfer-Encoding: quoted-printable', '=41'.repeat(500)), 100),
    ).toHaveLength(100);
    expect(decodedBytes(part('X: y', 'x'.repeat(500)), 100)).toHaveLength(100);
  });

  it.each([
    ['iso-8859-1', Buffer.from('Empfänger', 'latin1')],
    ['utf-8', Buffer.from('Empfänger')],
    ['x-nobody-knows', Buffer.from('Empfänger')],
    ['x-nobody-knows', Buffer.from('Empfänger', 'latin1')],
  ])('turns %s into text', (charset, bytes) => {
    expect(partText(part(`Content-Type: text/plain; charset=${charset}`, bytes))).toBe('Empfänger');
  });

  it('takes the words out of html', () => {
    expect(
      partText(part('Content-Type: text/html', '<p>No&nbsp;such <b>user</b></p>&lt;a@example.net&gt;')),
    ).toBe('No such user\n<a@example.net>');
  });
});

describe('decodeHeaderText', () => {
  it.each([
    ['plain', 'plain'],
    ['=?utf-8?Q?R=C3=A9ponse_automatique?=', 'Réponse automatique'],
    ['=?UTF-8?B?UsOpcG9uc2U=?= =?utf-8?q?_automatique?=', 'Réponse automatique'],
    ['=?iso-8859-1*de?Q?f=FCr?= alle', 'für alle'],
    ['=?ISO-2022-JP?B?GyRCPCtGMDF+RXobKEI=?=', '自動応答'],
    ['=?utf-8?Q?Gr=C3?= =?utf-8?B?vMOfZQ==?=', 'Grüße'],
    ['=?utf-8?Q?Re: Gr=C3=BC=C3=9Fe?=', 'Re: Grüße'],
    ['=?utf-8?Q?a?= =?iso-8859-1?Q?=FC?=  b', 'aü  b'],
    [`=?utf-8?B?${Buffer.from('Grüße '.repeat(80)).toString('base64')}?=`, 'Grüße '.repeat(80)],
    ['=?nobody?Q?a=?= and =?broken', 'a= and =?broken'],
  ])('reads %j', (encoded, text) => {
    expect(decodeHeaderText(encoded)).toBe(text);
  });
});
