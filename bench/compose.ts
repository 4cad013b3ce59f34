/** How fast a message becomes bytes, next to the composer most Node programs use. */
import PostalMime from 'postal-mime';
import type { MessageParts } from '../src/message/compose.ts';
import type { BenchResult, Progress } from './support/bench.ts';
import { built } from './support/built.ts';
import { measureInTurns, type Rate } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { number } from './support/table.ts';

export const title = 'Composing a 4 KB mail with html and text';
export const claim = 'composeMessage + toWire is at least 5 times as fast as nodemailer MailComposer';

const TARGET = 5;
const CONTENT_BYTES = 4096;
const ROUNDS = { warmUpMs: 1000, rounds: 9, roundMs: 500 };

export async function run(progress: Progress): Promise<BenchResult> {
  const { composeMessage, toWire } =
    await built<typeof import('../src/message/compose.ts')>('message/compose');
  const { default: MailComposer } = await requirePackage(
    () => import('nodemailer/lib/mail-composer'),
    'nodemailer',
    'npm ci',
  );
  const mail = receipt();
  const theirs = {
    from: { address: mail.from.email, name: mail.from.name ?? '' },
    to: mail.to.map(({ email, name }) => ({ address: email, name: name ?? '' })),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    date: new Date(mail.dateMs),
    messageId: `<${mail.id}@${mail.messageIdDomain}>`,
  };
  const postrider = () => toWire(composeMessage(mail));
  const nodemailer = () => new MailComposer({ ...theirs }).compile().build();
  progress('checking that both compose the same mail');
  await expectSameMail(postrider(), await nodemailer());
  const rates = await measureInTurns({ postrider, nodemailer }, ROUNDS, progress);
  return report(rates, postrider().length);
}

function report(rates: Readonly<Record<'postrider' | 'nodemailer', Rate>>, wireBytes: number): BenchResult {
  const row = (name: string, rate: Rate) => [
    name,
    number(rate.medianPerSecond),
    number(1e6 / rate.medianPerSecond, 1),
    `${number(rate.minPerSecond)} - ${number(rate.maxPerSecond)}`,
    number(rate.operations),
  ];
  const { postrider, nodemailer } = rates;
  return {
    ratio: postrider.medianPerSecond / nodemailer.medianPerSecond,
    target: TARGET,
    table: {
      columns: ['composer', 'median mails/s', 'us/mail', 'slowest - fastest round', 'mails'],
      rows: [row('postrider', postrider), row('nodemailer MailComposer', nodemailer)],
    },
    figures: {
      postrider_per_second: Math.round(postrider.medianPerSecond),
      nodemailer_per_second: Math.round(nodemailer.medianPerSecond),
      content_bytes: CONTENT_BYTES,
      wire_bytes: wireBytes,
      rounds: ROUNDS.rounds,
    },
  };
}

/** A comparison with a composer that does less would be worth nothing. */
async function expectSameMail(ours: Buffer, theirs: Buffer): Promise<void> {
  const [a, b] = await Promise.all([ours, theirs].map(readable));
  if (a !== b) throw new Error(`The two composers made different mails:\n${a}\n${b}`);
}

async function readable(wire: Buffer): Promise<string> {
  const { subject, from, to, messageId, date, html, text } = await PostalMime.parse(wire);
  return JSON.stringify({ subject, from, to, messageId, date, html: html?.trim(), text: text?.trim() });
}

/** An ordinary receipt: ASCII html with long lines, an accented name, a currency sign. */
function receipt(): MessageParts & { html: string; text: string } {
  const text = `Hello Zoë,\n\nthank you for your order. This is what we have sent you today:\n\n${lines(10, textRow)}\n`;
  const head =
    '<!doctype html><html><body style="margin:0;font-family:Helvetica,Arial,sans-serif"><h1>Hello Zoë</h1>';
  const foot = '</table><p>Thank you for your order.</p></body></html>';
  let html = `${head}\n<table width="100%" cellpadding="0">\n${lines(16, htmlRow)}\n${foot}\n`;
  html += `<!-- ${'.'.repeat(CONTENT_BYTES - Buffer.byteLength(text) - Buffer.byteLength(html) - 9)} -->`;
  return {
    id: '01932e1b-7c2a-7000-8000-0123456789ab',
    dateMs: Date.UTC(2024, 10, 15, 2, 6, 0),
    messageIdDomain: 'shop.example',
    from: { email: 'orders@shop.example', name: 'The Shop' },
    to: [{ email: 'zoe@customer.example', name: 'Zoë Müller' }],
    cc: [],
    replyTo: null,
    subject: 'Your order 48-1573 is on its way',
    html,
    text,
    headers: [],
    attachments: [],
  };
}

function lines(count: number, row: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => row(i + 1)).join('\n');
}

function textRow(i: number): string {
  return `  ${i}  Notebook with ruled pages, A5, number ${i}      ${i}.50 €`;
}

function htmlRow(i: number): string {
  return `<tr><td style="padding:8px 12px;border-bottom:1px solid #ddd"><a href="https://shop.example/items/${i}?ref=mail">Notebook, A5, number ${i}</a></td><td align="right">${i}.50 €</td></tr>`;
}
