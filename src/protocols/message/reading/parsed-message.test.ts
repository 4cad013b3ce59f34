import { describe, expect, it } from 'vitest';
import { mailbox } from '../../../../test/support/addresses.ts';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { composing, writingWire } from '../compose.ts';
import { parseMessage } from './parsed-message.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));
const toWire = (...args: Parameters<typeof writingWire>) => atOnce(writingWire(...args));

const parts = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  dateMs: 0,
  messageIdDomain: 'shop.example',
  from: mailbox('a@shop.example'),
  to: [mailbox('b@shop.example')],
  ...{ cc: [], replyTo: [], subject: 'Files', html: null, text: 'See below.', headers: [] },
};

describe('the files of a captured message', () => {
  it.each([
    ['a text without a last line end', 'text/plain', 'one\ntwo'],
    ['a text of empty lines', 'text/plain', 'a long line to begin with\r\n\r\n\n'],
    ['a text in base64', 'text/plain', '日本語の本文\n'],
    ['something else', 'application/pdf', '%PDF\n'],
  ])('are those that were sent: %s', async (_, contentType, text) => {
    const content = Buffer.from(text);
    const file = { filename: 'a.txt', content, contentType, contentId: null };
    const { attachments } = await parseMessage(toWire(composeMessage({ ...parts, attachments: [file] })));
    expect(attachments[0]?.content.toString()).toBe(text);
    expect(attachments[0]?.size).toBe(content.length);
  });
});
