/** How fast a message becomes bytes, next to the composer most Node programs use. */
import PostalMime from 'postal-mime';
import { atOnce } from '../src/runtime/sliced-work.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { measureInTurns, type Rate } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { CONTENT_BYTES, receipt } from './support/receipt.ts';
import { number } from './support/table.ts';

export const title = 'Composing a 4 KB mail with html and text';
export const claim = 'composeMessage + toWire is at least 5 times as fast as nodemailer MailComposer';

const TARGET = 5;
const SIZES = {
  full: { warmUpMs: 1_000, rounds: 9, roundMs: 500 },
  smoke: { warmUpMs: 50, rounds: 2, roundMs: 50 },
};

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { composing, writingWire } =
    await built<typeof import('../src/protocols/message/compose.ts')>('protocols/message/compose');
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
  const postrider = () => atOnce(writingWire(atOnce(composing(mail))));
  const nodemailer = () => new MailComposer({ ...theirs }).compile().build();
  progress('checking that both compose the same mail');
  await expectSameMail(postrider(), await nodemailer());
  const rates = await measureInTurns({ postrider, nodemailer }, SIZES[size], progress);
  return report(rates, postrider().length, SIZES[size].rounds);
}

function report(
  rates: Readonly<Record<'postrider' | 'nodemailer', Rate>>,
  wireBytes: number,
  rounds: number,
): BenchResult {
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
      rounds,
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
