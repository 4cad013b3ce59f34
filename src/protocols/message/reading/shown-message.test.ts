import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { decodedBytes } from './part-text.ts';
import { readShown, sizing, textOf } from './shown-message.ts';

const sizeOf = (...args: Parameters<typeof sizing>) => atOnce(sizing(...args));

const message = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`);
const PDF = Buffer.from('%PDF-1.7 \x00\xff and more', 'latin1');

const NESTED = message(
  'Content-Type: multipart/mixed; boundary=m',
  '',
  'ignored',
  '--m',
  'Content-Type: multipart/related; boundary="r r"',
  '',
  '--r r',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<p>Grüße</p>').toString('base64'),
  '--a--',
  '--r r',
  'Content-Type: image/png; name=logo.png',
  'Content-ID: <logo@x>',
  'Content-Disposition: inline; filename=logo.png',
  'Content-Transfer-Encoding: base64',
  '',
  PDF.toString('base64'),
  '--r r--',
  '--m',
  'Content-Type: application/pdf',
  "Content-Disposition: attachment; filename*0*=utf-8''Rechnung%20; filename*1*=M%C3%A4rz.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  PDF.toString('base64'),
  '--m',
  'Content-Type: text/plain; name="=?UTF-8?Q?n=C3=B6tes.txt?="',
  'Content-Disposition: attachment',
  '',
  'a file',
  '--m--',
);

describe('a message as it is shown', () => {
  const shown = readShown(NESTED);

  it('is its html and its text, decoded', () => {
    expect(shown.html && textOf(shown.html)).toBe('<p>Grüße</p>');
    expect(shown.text && textOf(shown.text)).toBe('Grüße');
  });

  it('is the files that come with it, by their names', () => {
    expect(
      shown.files.map(({ filename, contentType, contentId }) => [filename, contentType, contentId]),
    ).toEqual([
      ['logo.png', 'image/png', 'logo@x'],
      ['Rechnung März.pdf', 'application/pdf', null],
      ['nötes.txt', 'text/plain', null],
    ]);
    const [logo] = shown.files;
    expect(logo && decodedBytes(logo.part).equals(PDF)).toBe(true);
    expect(shown.files.map(({ part }) => sizeOf(part))).toEqual([PDF.length, PDF.length, 6]);
  });

  it('is one part where it has no others', () => {
    const simple = readShown(message('Content-Type: text/html', '', '<b>hi</b>'));
    expect([simple.html && textOf(simple.html), simple.text, simple.files]).toEqual([
      '<b>hi</b>\r\n',
      null,
      [],
    ]);
    const bare = readShown(message('Subject: x', '', 'hi'));
    expect([bare.html, bare.text && textOf(bare.text)]).toEqual([null, 'hi\r\n']);
  });

  it.each([
    ['multipart/signed; boundary=b', 'application/pgp-signature'],
    ['multipart/mixed; boundary=b', 'application/pkcs7-signature'],
    ['multipart/mixed; boundary=b', 'application/x-pkcs7-mime'],
  ])('is sealed with %s and %s', (whole, part) => {
    const lines = [
      `Content-Type: ${whole}`,
      '',
      '--b',
      'Content-Type: text/html',
      '',
      'x',
      '--b',
      `Content-Type: ${part}`,
      '',
      'y',
      '--b--',
    ];
    expect(readShown(message(...lines)).isSealed).toBe(true);
    expect(shown.isSealed).toBe(false);
  });

  it('is not sealed by a DKIM signature, which is taken out of what goes on', () => {
    expect(readShown(message('DKIM-Signature: v=1', '', 'x')).isSealed).toBe(false);
  });
});
