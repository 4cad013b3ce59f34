import { describe, expect, it } from 'vitest';
import { ambiguityOf } from './ambiguity.ts';

const TEXT = '\r\n\r\nHello\r\n';
const from = (value: string) => ambiguityOf(Buffer.from(`From: ${value}${TEXT}`, 'latin1'));
const typed = (fields: string, body = 'Hello\r\n') =>
  ambiguityOf(Buffer.from(`From: a@example.org\r\n${fields}\r\n\r\n${body}`, 'latin1'));

describe('a sender', () => {
  it.each([
    'a@example.org',
    '<a@example.org>',
    'Ada Lovelace <a@example.org>',
    'A. Lovelace <a@example.org>',
    '"Lovelace, Ada" <a@example.org>',
    '"Ada \\"Countess\\" Lovelace" <a@example.org>',
    '=?utf-8?Q?J=C3=B6rg?= <a@example.org>',
    'J\xc3\xb6rg <a@example.org>',
    'root@example.org (Cron Daemon)',
    'Ada\r\n <a@example.org>',
    'a@example.org, b@example.org',
  ])('written as %j is clear', async (value) => {
    expect(await from(value)).toBeNull();
  });

  it.each([
    '',
    'a',
    'Us: a@example.org;',
    '<a@example.org> <b@example.org>',
    'b@example.org <a@example.org>',
    'a@example.org (b@example.org)',
    '<@b.example:a@example.org>',
    '=?utf-8?Q?a?=@example.org',
    '=?utf-8?Q?x=0Ay?= <a@example.org>',
    '"unclosed <a@example.org>',
    'a @ example.org',
    `${'x'.repeat(4_001)} <a@example.org>`,
  ])('written as %j is not clear', async (value) => {
    expect(await from(value)).not.toBeNull();
  });
});

describe('content', () => {
  it.each([
    'Content-Type: text/plain; charset=utf-8; format=flowed',
    'Content-Type: text/html; charset="ISO-8859-1";',
    'Content-Type: text/plain;\r\n\tcharset=us-ascii',
    'Content-Transfer-Encoding: Quoted-Printable',
    'Content-Disposition: inline',
    'Content-Type: application/pdf; name="a;b=c.pdf"\r\nContent-Disposition: attachment; filename*=utf-8\'\'x.pdf',
  ])('that %j describes is clear', async (fields) => {
    expect(await typed(fields)).toBeNull();
  });

  it.each([
    'Content-Type: text/plain; charset=utf-8; charset=utf-16',
    'Content-Type: text/plain; charset=utf-7',
    'Content-Type: text/plain (comment)',
    'Content-Type: text',
    'Content-Type: multipart/mixed',
    "Content-Type: multipart/mixed; boundary*=utf-8''b",
    'Content-Type: message/rfc822',
    'Content-Transfer-Encoding: base64 (really)',
    'Content-Transfer-Encoding: base64 ',
    'Content-Transfer-Encoding:\r\n base64',
    'Content-Transfer-Encoding: x-uuencode',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: inline; filename=x.txt',
  ])('that %j describes is not clear', async (fields) => {
    expect(await typed(fields)).not.toBeNull();
  });

  const PARTS =
    '--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hello\r\n--b--\r\n';

  it('in parts is clear, with words around them and nested', async () => {
    const fields = 'Content-Type: multipart/alternative; boundary="b"';
    expect(await typed(fields, PARTS)).toBeNull();
    expect(await typed(fields, `This is MIME.\r\n${PARTS}The end.\r\n`)).toBeNull();
    const outer = `--o\r\n${fields}\r\n\r\n${PARTS}--o--\r\n`;
    expect(await typed('Content-Type: multipart/mixed; boundary=o', outer)).toBeNull();
  });

  it.each([
    ['no delimiter', 'Hello\r\n'],
    ['a part with two types', PARTS.replace('Content-Type', 'Content-Type: text/html\r\nContent-Type')],
    [
      'a part whose header has a line that is no field',
      PARTS.replace('Content-Type', 'nothing\r\nContent-Type'),
    ],
    ['more parts than are read', `${'--b\r\n\r\nx\r\n'.repeat(65)}--b--\r\n`],
    ['a blank text before another', `--b\r\n\r\n\r\n${PARTS}`],
    ['a message before the text', `--b\r\nContent-Type: message/rfc822\r\n\r\nA: b\r\n\r\nx\r\n${PARTS}`],
    ['a bare line feed', PARTS.replace('Hello', 'Hel\nlo')],
  ])('in parts is not clear with %s', async (_what, body) => {
    expect(await typed('Content-Type: multipart/mixed; boundary=b', body)).not.toBeNull();
  });

  it('in a multipart/related is not clear with a second text', async () => {
    expect(await typed('Content-Type: multipart/related; boundary=b', PARTS)).not.toBeNull();
  });
});
