/** How fast captured mail is read, next to postal-mime, a MIME reader that shares no code with ours. */
import type { Email } from 'postal-mime';
import type { MessageParts } from '../src/protocols/message/compose.ts';
import type { ParsedMessage } from '../src/protocols/message/reading/parsed-message.ts';
import { atOnce } from '../src/runtime/sliced-work.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { measureInTurns, type Rate } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { receipt } from './support/receipt.ts';
import { number } from './support/table.ts';

export const title = 'Reading a mail of 4 KB, and one with a file of 1 MB';
export const claim =
  'parseMessage reads a mail of 4 KB and one with a file of 1 MB at least 1.25 times as fast as postal-mime';

const TARGET = 1.25;
const FILE_BYTES = 1024 * 1024;
const SIZES = {
  full: { warmUpMs: 1_000, rounds: 9, roundMs: 500 },
  smoke: { warmUpMs: 50, rounds: 2, roundMs: 50 },
};

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { parseMessage } = await built<typeof import('../src/protocols/message/reading/parsed-message.ts')>(
    'protocols/message/reading/parsed-message',
  );
  const { default: PostalMime } = await requirePackage(() => import('postal-mime'), 'postal-mime', 'npm ci');
  const compose = await composer();
  const mails = { '4 KB': compose(receipt()), 'file of 1 MB': compose(withFile(receipt())) };
  const rows: string[][] = [];
  const ratios: number[] = [];
  for (const [name, raw] of Object.entries(mails)) {
    progress(`checking that both read the same in ${name}`);
    expectSame(await parseMessage(raw), await PostalMime.parse(raw));
    const contestants = { postrider: () => parseMessage(raw), 'postal-mime': () => PostalMime.parse(raw) };
    const rates = await measureInTurns(contestants, SIZES[size], progress);
    for (const [reader, rate] of Object.entries(rates)) rows.push(rowOf(name, reader, rate));
    ratios.push(rates.postrider.medianPerSecond / rates['postal-mime'].medianPerSecond);
  }
  return {
    ratio: Math.min(...ratios),
    target: TARGET,
    table: { columns: ['mail', 'reader', 'median mails/s', 'us/mail', 'slowest - fastest round'], rows },
    figures: { ratio_small: Number(ratios[0]?.toFixed(2)), ratio_file: Number(ratios[1]?.toFixed(2)) },
  };
}

async function composer(): Promise<(mail: MessageParts) => Buffer> {
  const { composing, writingWire } =
    await built<typeof import('../src/protocols/message/compose.ts')>('protocols/message/compose');
  return (mail) => atOnce(writingWire(atOnce(composing(mail))));
}

function withFile(mail: MessageParts): MessageParts {
  const content = Buffer.alloc(FILE_BYTES, '%PDF \x00\xff', 'latin1');
  return {
    ...mail,
    attachments: [{ filename: 'a.pdf', content, contentType: 'application/pdf', contentId: null }],
  };
}

function rowOf(
  mail: string,
  reader: string,
  { medianPerSecond, minPerSecond, maxPerSecond }: Rate,
): string[] {
  return [
    ...[mail, reader, number(medianPerSecond), number(1e6 / medianPerSecond, 1)],
    `${number(minPerSecond)} - ${number(maxPerSecond)}`,
  ];
}

/** A comparison with a reader that does less would be worth nothing. */
function expectSame({ subject, text, html, attachments }: ParsedMessage, theirs: Email): void {
  const ours = [subject, text?.trim(), html?.trim(), ...attachments.map(({ content }) => content.length)];
  const files = theirs.attachments.map(({ content }) => (content as ArrayBuffer).byteLength);
  const others = [theirs.subject, theirs.text?.trim(), theirs.html?.trim(), ...files];
  if (JSON.stringify(ours) !== JSON.stringify(others))
    throw new Error('The two readers read different mails.');
}
