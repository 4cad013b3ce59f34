/** Character sets of captured mail. */
import { describe, expect, it } from 'vitest';
import { parseMessage } from '../protocols/message/reading/parsed-message.ts';
import { summarize } from './summary.ts';

const message = (charset: string, body: Buffer, ...header: string[]) =>
  Buffer.concat([
    Buffer.from(
      [
        'From: =?windows-1252?Q?Caf=E9_=80?= <cafe@example.com>',
        'To: ada@example.org',
        'Subject: =?iso-8859-1?Q?5_=80_=96_heute?=',
        ...header,
        `Content-Type: text/plain; charset=${charset}`,
        'Content-Transfer-Encoding: 8bit',
        '',
        '',
      ].join('\r\n'),
    ),
    body,
  ]);
const PRICE = Buffer.from([0x35, 0x20, 0x80]);

describe('a captured message', () => {
  it.each(['windows-1252', 'iso-8859-1', 'us-ascii', 'x-nobody-knows'])(
    'has its text in %s read as windows-1252',
    async (charset) => {
      expect((await parseMessage(message(charset, PRICE))).text?.trim()).toBe('5 €');
    },
  );

  it('has a long text read as windows-1252', async () => {
    const { text } = await parseMessage(message('windows-1252', Buffer.alloc(200_000, 0x80)));
    expect(text?.trim()).toBe('€'.repeat(200_000));
  });

  it('has iso-8859-15 and UTF-8 decoded as such', async () => {
    expect((await parseMessage(message('iso-8859-15', Buffer.from([0xa4])))).text?.trim()).toBe('€');
    expect((await parseMessage(message('utf-8', Buffer.from('€')))).text?.trim()).toBe('€');
  });

  it('joins the lines of a flowed text in windows-1252', async () => {
    const body = Buffer.from('5 \r\n\x80', 'latin1');
    expect((await parseMessage(message('windows-1252; format=flowed', body))).text?.trim()).toBe('5 €');
  });

  it('has its subject and the names of people and files decoded as windows-1252', async () => {
    const file = [
      'Subject: files',
      'From: =?windows-1252?Q?Caf=E9_=80?= <cafe@example.com>',
      'Content-Type: application/pdf',
      "Content-Disposition: attachment; filename*=windows-1252''5%20%80.pdf",
      '',
      'x',
    ].join('\r\n');
    const parsed = await parseMessage(message('utf-8', Buffer.from('x')));
    expect(parsed.subject).toBe('5 € – heute');
    expect(parsed.addresses.from).toEqual([{ email: 'cafe@example.com', name: 'Café €' }]);
    expect((await parseMessage(Buffer.from(file))).attachments[0]?.filename).toBe('5 €.pdf');
  });

  it('is listed with its subject and sender read as windows-1252', () => {
    expect(summarize(message('utf-8', Buffer.from('x')))).toEqual({
      fromEmail: 'cafe@example.com',
      fromName: 'Café €',
      subject: '5 € – heute',
    });
  });
});
