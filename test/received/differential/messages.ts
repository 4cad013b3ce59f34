/** Thousands of malformed messages from a seed: some that an attacker changed after they were signed, some that the attacker signed. */
import { Random } from '../../fuzz/random.ts';
import { type Draft, MALFORMATIONS, written } from './malformations.ts';
import { type SigningOptions, signed } from './signer.ts';

const TEXT = 'MARK-TEXT\r\n\r\nDear reader,  this is genuine.\r\n';
const HTML = '<p>MARK-HTML</p>\r\n';
const base64 = (text: string) => `${Buffer.from(text, 'latin1').toString('base64')}\r\n`;
const part = (type: string, content: string, more = '') =>
  `--real\r\nContent-Type: ${type}\r\n${more}\r\n${content}\r\n`;
const BOTH = `${part('text/plain; charset=utf-8', TEXT)}${part('text/html; charset=utf-8', HTML)}--real--\r\n`;
const INNER = BOTH.replaceAll('real', 'inner');

/** Content-Type and Content-Transfer-Encoding, and the body that goes with them. */
const BODIES: readonly (readonly [fields: readonly string[], body: string])[] = [
  [[], TEXT],
  [['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 7bit'], TEXT],
  [
    ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
    'MARK=2DTEXT =C3=B6=\r\n.\r\n',
  ],
  [['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64'], base64(HTML)],
  [['Content-Type: text/plain', 'Content-Transfer-Encoding: base64'], base64(TEXT)],
  [['Content-Type: multipart/alternative; boundary="real"'], BOTH],
  [['Content-Type: multipart/alternative; boundary=real'], `This is MIME.\r\n${BOTH}The end.\r\n`],
  [
    ['Content-Type: multipart/mixed; boundary="real"'],
    `${part('text/plain', TEXT)}${part('application/pdf', base64('%PDF'), 'Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=x.pdf\r\n')}--real--\r\n`,
  ],
  [
    ['Content-Type: multipart/mixed; boundary="real"'],
    `${part('multipart/alternative; boundary="inner"', INNER)}--real--\r\n`,
  ],
  [
    ['Content-Type: multipart/mixed; boundary="real"'],
    `${part('text/plain', base64(TEXT), 'Content-Transfer-Encoding: base64\r\n')}--real--\r\n`,
  ],
];

const NAMES: readonly (readonly string[])[] = [
  ['from'],
  ['From', 'Subject', 'Date'],
  [
    'From',
    'To',
    'Subject',
    'Date',
    'Message-ID',
    'Content-Type',
    'Content-Transfer-Encoding',
    'MIME-Version',
  ],
  ['From', 'From', 'Subject', 'Subject', 'Date', 'To', 'Content-Type', 'Content-Type'],
];
const FORMS = ['relaxed/relaxed', 'simple/simple', 'relaxed/simple', 'simple/relaxed'] as const;

export interface MalformedMessage {
  readonly raw: Buffer;
  readonly number: number;
}

export function malformedMessages(seed: number, count: number): MalformedMessage[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    raw: Buffer.from(malformedMessage(new Random(seed + number)), 'latin1'),
  }));
}

function malformedMessage(random: Random): string {
  const isForger = random.chance(0.6);
  const draft = genuine(random, isForger ? 'boss@victim.example' : 'x@attacker.example');
  const options: SigningOptions = {
    domain: isForger ? 'victim.example' : 'attacker.example',
    names: random.pick(NAMES),
    form: random.pick(FORMS),
    hasLength: random.chance(0.1),
  };
  if (isForger) {
    const message = parted(signed(written(draft), options));
    malform(message, random);
    return written(message);
  }
  malform(draft, random);
  return signed(written(draft), options);
}

function malform(draft: Draft, random: Random): void {
  for (let i = random.integer(1, 3); i > 0; i -= 1) random.pick(MALFORMATIONS)(draft, random);
}

function genuine(random: Random, from: string): Draft {
  const [fields, body] = random.pick(BODIES);
  return {
    fields: [
      ...['Received: from a by b; Mon, 2 Nov 2026 10:00:00 +0000', `From: ${from}`, 'To: you@example.org'],
      ...['Subject: Genuine', 'Date: Mon, 2 Nov 2026 10:00:00 +0000', 'Message-ID: <1@victim.example>'],
      ...['MIME-Version: 1.0', ...fields],
    ],
    gap: '\r\n',
    body,
  };
}

function parted(message: string): Draft {
  const end = message.indexOf('\r\n\r\n');
  return { fields: message.slice(0, end).split(/\r\n(?![ \t])/), gap: '\r\n', body: message.slice(end + 4) };
}
