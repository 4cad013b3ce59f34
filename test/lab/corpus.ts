/** Thirty messages of the kinds that people send, as bodies of `POST /emails/send`. What must arrive follows from them. */
import { createHash } from 'node:crypto';

export interface Attachment {
  readonly filename: string;
  readonly content_type: string;
  readonly content: string;
  readonly content_id?: string;
}

export interface Message {
  readonly name: string;
  /** Before the @; a name of its own for each message when not given. */
  readonly to?: string;
  readonly toName?: string;
  readonly fromName?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly body: {
    readonly subject: string;
    readonly text?: string;
    readonly html?: string;
    readonly attachments?: readonly Attachment[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly reply_to?: { readonly email: string; readonly name?: string };
    readonly unsubscribe_group?: string;
    readonly priority?: 'high' | 'low';
    readonly text_from_html?: boolean;
  };
  /** Sent with the lab's template and these data; `body` is what it must become. */
  readonly templateData?: Readonly<Record<string, unknown>>;
  readonly inSeconds?: number;
  /** The text part that is made where only html is given. */
  readonly madeText?: string;
  /** What rspamd holds against every mail of the kind, however it is written. */
  readonly unjust?: readonly string[];
}

export const TEMPLATE = {
  name: 'Lab receipt',
  subject: 'Your order {{id}}, {{name}}',
  html: '<h1>Thank you, {{name}}</h1>\n<ul>\n{{#each items}}<li>{{this}}</li>\n{{/each}}</ul>\n',
  text: 'Thank you, {{name}}.\n{{#each items}}- {{this}}\n{{/each}}',
};

const HELLO = 'Hello Ada,\n\nyour parcel is on its way.\n\nGreetings\n';
const PAGE =
  '<!DOCTYPE html>\n<html lang="en"><body>\n<p>Hello Ada, your parcel is on its way to you today.</p>\n</body></html>\n';

/** Octets that look like nothing, the same in every run. */
export function noise(seed: string, octets: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(octets / 64) }, (_, i) =>
    createHash('sha512').update(`${seed}/${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, octets);
}

function file(
  filename: string,
  content_type: string,
  content: string | Buffer,
  content_id?: string,
): Attachment {
  const base64 = Buffer.from(content).toString('base64');
  return { filename, content_type, content: base64, ...(content_id === undefined ? {} : { content_id }) };
}

const PDF = file(
  'receipt.pdf',
  'application/pdf',
  Buffer.concat([Buffer.from('%PDF-1.4\n'), noise('pdf', 30_000)]),
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Lab//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:1@example.com',
  'DTSTAMP:20261115T120000Z',
  'DTSTART:20261201T090000Z',
  'SUMMARY:Führung durchs Haus',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');
const FORWARDED = [
  'From: Grace <grace@example.org>',
  'To: orders@example.com',
  'Subject: My question',
  'Date: Sun, 15 Nov 2026 10:00:00 +0000',
  'Message-ID: <question-1@example.org>',
  '',
  'Where is my parcel?',
  '',
].join('\r\n');

export const MESSAGES: readonly Message[] = [
  { name: 'plain text', body: { subject: 'Your parcel is on its way', text: HELLO } },
  { name: 'html alone', body: { subject: 'Your parcel in html', html: PAGE } },
  { name: 'text and html', body: { subject: 'Your parcel twice', text: HELLO, html: PAGE } },
  {
    name: 'text made from html',
    madeText: 'Hello Ada, your parcel is on its way to you today.',
    body: { subject: 'Your parcel, read to you', html: PAGE, text_from_html: true },
  },
  { name: 'no line end at the end', body: { subject: 'Without an end', text: 'One line without its end' } },
  {
    name: 'unicode text',
    body: { subject: 'In many scripts', text: 'Grüße, привет, שלום, こんにちは, 👋🏽\n' },
  },
  { name: 'unicode subject', body: { subject: 'Ihre Bestellung № 42 ist da: 🎉 Glückwunsch', text: HELLO } },
  {
    name: 'long unicode subject',
    body: {
      subject: 'Übermäßig lange Überschriften überdauern alles, 日本語も続く '.repeat(5).trim(),
      text: HELLO,
    },
  },
  {
    name: 'unicode names',
    fromName: 'Müller & Söhne, «Заказы»',
    toName: '佐藤 花子',
    body: { subject: 'Names of the world', text: HELLO },
  },
  {
    name: 'names with quotes',
    fromName: 'Acme "Orders" (EU), Inc.',
    toName: "O'Neil, Ada; \\ @work",
    body: { subject: 'Names with everything', text: HELLO },
  },
  {
    name: 'SMTPUTF8 address',
    to: 'jürgen',
    unjust: ['INVALID_RCPT_8BIT', 'TO_NEEDS_ENCODING'],
    body: { subject: 'To an address of its own', text: HELLO },
  },
  {
    name: 'address with a tag',
    to: 'ada+orders_2026',
    body: { subject: 'To a tagged address', text: HELLO },
  },
  { name: 'dots', body: { subject: 'Dots', text: '.\n..\n.leading\nmiddle\n.\n...\nend\n' } },
  { name: 'a line of 5,000', body: { subject: 'A long line', text: `${'long '.repeat(1000)}\nshort\n` } },
  {
    name: 'html in one line',
    body: {
      subject: 'Much in one line',
      html: `<p>${'All of this is one line. '.repeat(400)}</p>`,
      text: HELLO,
    },
  },
  {
    name: 'spaces at line ends',
    body: { subject: 'Spaces', text: 'two  \ntab\t\n\n\nFrom here on\n=3D =\n-- \nAda\n' },
  },
  { name: 'pdf', body: { subject: 'Your receipt as a file', text: HELLO, attachments: [PDF] } },
  {
    name: 'text and html and pdf',
    body: { subject: 'Your receipt, all ways', text: HELLO, html: PAGE, attachments: [PDF] },
  },
  {
    name: 'inline image',
    body: {
      subject: 'With our logo',
      text: HELLO,
      html: '<p><img src="cid:logo@lab" alt="Acme" width="1" height="1"> Hello Ada, your parcel is on its way.</p>\n',
      attachments: [file('logo.gif', 'image/gif', GIF, 'logo@lab')],
    },
  },
  {
    name: 'inline image and files',
    body: {
      subject: 'With our logo and more',
      html: '<p><img src="cid:logo@lab" alt="Acme" width="1" height="1"> Hello Ada, your files are here.</p>\n',
      text: HELLO,
      attachments: [
        file('logo.gif', 'image/gif', GIF, 'logo@lab'),
        PDF,
        file('a.bin', 'application/octet-stream', noise('a', 1)),
      ],
    },
  },
  {
    name: 'csv, CRLF and LF',
    body: {
      subject: 'Your figures',
      text: HELLO,
      attachments: [
        file('dos.csv', 'text/csv', 'a,b\r\n1,2\r\n.\r\nFrom x\r\n'),
        file('unix.csv', 'text/csv', 'a,b \n1,ü\n'),
      ],
    },
  },
  {
    name: 'unicode file names',
    body: {
      subject: 'A file from afar',
      text: HELLO,
      attachments: [
        { ...PDF, filename: 'Rechnung Überweisung №42.pdf' },
        { ...PDF, filename: '請求書 "最終"; 2026.pdf' },
      ],
    },
  },
  {
    name: 'empty file',
    body: {
      subject: 'Nothing in it',
      text: HELLO,
      attachments: [file('empty.bin', 'application/octet-stream', noise('one', 0))],
    },
  },
  {
    name: 'calendar',
    body: {
      subject: 'You are invited',
      text: HELLO,
      attachments: [file('invite.ics', 'text/calendar', CALENDAR)],
    },
  },
  {
    name: 'message/rfc822',
    body: {
      subject: 'About your question',
      text: HELLO,
      attachments: [file('question.eml', 'message/rfc822', FORWARDED)],
    },
  },
  {
    name: 'large',
    body: {
      subject: 'Photographs',
      text: HELLO,
      attachments: [file('photo.jpg', 'image/jpeg', noise('photo', 1_000_000))],
    },
  },
  {
    name: 'template',
    templateData: { id: 1042, name: 'Ada <Söhne>', items: ['Ink & paper', 'Pens'] },
    body: {
      subject: 'Your order 1042, Ada <Söhne>',
      html: '<h1>Thank you, Ada &lt;Söhne&gt;</h1>\n<ul>\n<li>Ink &amp; paper</li>\n<li>Pens</li>\n</ul>\n',
      text: 'Thank you, Ada <Söhne>.\n- Ink & paper\n- Pens\n',
    },
  },
  {
    name: 'unsubscribe, own headers',
    body: {
      subject: 'News of November',
      text: HELLO,
      html: PAGE,
      unsubscribe_group: 'product-news',
      headers: { 'X-Order': '1042', 'X-Campaign': 'November 2026, second week' },
      reply_to: { email: 'help@example.com', name: 'Hilfe für Kunden' },
    },
  },
  {
    name: 'to, cc and bcc',
    toName: 'Ada',
    cc: 'copy',
    bcc: 'secret',
    body: { subject: 'For several', text: HELLO, priority: 'high' },
  },
  { name: 'scheduled', inSeconds: 8, body: { subject: 'Later', text: HELLO } },
];
