/**
 * Ways to malform a message that readers may disagree about. Each changes a message that is well formed so far; an attacker applies
 * them to a message that somebody else has signed, or to one that they sign themselves.
 */
import type { Random } from '../../fuzz/random.ts';

export interface Draft {
  /** Complete fields without the CRLF that ends each. */
  fields: string[];
  /** Between the header and the body. */
  gap: string;
  body: string;
}

export type Malformation = (draft: Draft, random: Random) => void;

export function written({ fields, gap, body }: Draft): string {
  return fields.map((field) => `${field}\r\n`).join('') + gap + body;
}

const FORGED = 'The CEO <ceo@victim.example>';
const BAD_BYTES = ['\n', '\r', '\r\r\n', '\n\r', '\0', '\x0b', '\x0c', '\x85', '\xe2\x80\xa8'];

/** What a forger writes into From, with or without the key of a domain. */
const SENDERS = [
  FORGED,
  'ceo@victim.example',
  'ceo@victim.example, x@attacker.example',
  'x@attacker.example, ceo@victim.example',
  '<ceo@victim.example> <x@attacker.example>',
  'ceo@victim.example <x@attacker.example>',
  '"ceo@victim.example" <x@attacker.example>',
  '"ceo@victim.example," <x@attacker.example>',
  '"a\\"b" <x@attacker.example>',
  'x@attacker.example (ceo@victim.example)',
  'x@attacker.example (<ceo@victim.example>)',
  '(<ceo@victim.example>) x@attacker.example',
  '(ceo@victim.example x@attacker.example',
  'ceo@victim.example (a (b) c',
  'x@(comment)attacker.example',
  'x(c)@attacker.example',
  'x @ attacker.example',
  '<x@attacker.example',
  'x@attacker.example>',
  '<<x@attacker.example>>',
  '<ceo@victim.example><x@attacker.example>',
  '<@victim.example:x@attacker.example>',
  '<@victim.example,@b.example:x@attacker.example>',
  'Group: x@attacker.example;',
  'Group: x@attacker.example, ceo@victim.example;',
  'Group:; x@attacker.example',
  'undisclosed:;',
  'A: B: x@attacker.example;',
  'Boss <ceo@victim.example>; X <x@attacker.example>',
  '=?utf-8?Q?ceo=40victim.example?= <x@attacker.example>',
  '=?utf-8?Q?ceo=40victim.example?=',
  '=?utf-8?B?Y2VvQHZpY3RpbS5leGFtcGxl?=',
  '=?utf-8?Q?=3Cceo=40victim.example=3E?= <x@attacker.example>',
  '=?utf-8?Q?ceo=40victim.example=2C?= <x@attacker.example>',
  '=?utf-8?Q?a=00b?= <x@attacker.example>',
  '=?utf-8?Q?a=0AFrom=3A_ceo=40victim.example?= <x@attacker.example>',
  '=?utf-8?Q?x?=@attacker.example',
  'x@=?utf-8?Q?attacker.example?=',
  '"=?utf-8?Q?ceo=40victim.example?=" <x@attacker.example>',
  '"ceo"@victim.example',
  '"ceo@victim.example"@attacker.example',
  '"x y"@attacker.example',
  'ceo@victim.example@attacker.example',
  'x@attacker.example@victim.example',
  'X <x@attacker.example> ceo@victim.example',
  'ceo@victim.example X <x@attacker.example>',
  'X <x@attacker.example>, <ceo@victim.example',
  'x@attacker.example\r\n (folded)',
  'X\r\n <x@attacker.example>',
  '\r\n x@attacker.example',
  'X\r\n \r\n <x@attacker.example>',
  'X <x@attacker.\r\n example>',
  'X <x@attacker.example\r\n >',
  'X\xff <x@attacker.example>',
  'J\xc3\xb6rg <x@attacker.example>',
  'x\xc3\xb6@attacker.example',
  'x@\xc3\xb6.attacker.example',
  'x@ATTACKER.example',
  'x@attacker.example.',
  'x@[192.0.2.1]',
  'x@attacker',
  'x',
  '',
  '<>',
  '"<ceo@victim.example>" x@attacker.example',
  "'ceo@victim.example' <x@attacker.example>",
  'ceo@victim.example\t<x@attacker.example>',
  'ceo@victim.example\0<x@attacker.example>',
  'a\\,b <x@attacker.example>',
  '"unclosed <x@attacker.example>',
  'X [y] <x@attacker.example>',
  'X. Y <x@attacker.example>',
  'X, Y <x@attacker.example>',
  'X <mailto:x@attacker.example>',
  'X <x@attacker.example?subject=y>',
  ...['x+y@attacker.example', 'X <x@attacker.example>', 'X <x@sub.attacker.example>'],
  `${'a'.repeat(5_000)} <x@attacker.example>`,
  `X <x@attacker.example>${' '.repeat(5_000)}, ceo@victim.example`,
];

const NAMES = [
  'From',
  'FROM',
  'from',
  'From ',
  'From\t',
  ' From',
  '\tFrom',
  'Fro\0m',
  '\xef\xbb\xbfFrom',
  '\xa0From',
  'From\x0b',
  'From\r\n ',
  '>From',
  'Resent-From',
  'Sender',
];

const CONTENT_TYPES = [
  'text/plain',
  'text/plain; charset=utf-8',
  'text/html',
  'text/html; charset=utf-16le',
  'text/plain; charset=utf-7',
  'text/plain; charset=nonsense',
  'text/plain; charset=us-ascii; charset=utf-16le',
  'TEXT/HTML',
  'text',
  'html',
  'text/',
  '/html',
  'text/html/plain',
  'text /html',
  'text/ html',
  'text/html; boundary=evil',
  '"text/html"',
  '(comment) text/html',
  'text/html (comment)',
  'text(comment)/html',
  'multipart/mixed; boundary=evil',
  'multipart/mixed; boundary=evil; boundary=real',
  'multipart/mixed; boundary=real; boundary=evil',
  'multipart/mixed; boundary="real"; BOUNDARY="evil"',
  'multipart/mixed; boundary="re\\al"',
  "multipart/mixed; boundary='real'",
  'multipart/mixed; boundary=real evil',
  'multipart/mixed; boundary="real ',
  'multipart/mixed; boundary=real; x',
  'multipart/mixed; x; boundary=real',
  'multipart/mixed; x=";boundary=evil"; boundary=real',
  'multipart/mixed; x="\\";boundary=evil;y=\\""; boundary=real',
  'multipart/mixed; x=y";boundary=evil; boundary=real',
  'multipart/mixed; boundary=(comment)real',
  'multipart/mixed; boundary=real(comment)',
  'multipart/mixed (; boundary=evil); boundary=real',
  "multipart/mixed; boundary*=utf-8''evil; boundary=real",
  "multipart/mixed; boundary*=utf-8''evil",
  'multipart/mixed; boundary*0=ev; boundary*1=il; boundary=real',
  'multipart/mixed; boundary*0=re; boundary*1=al',
  'multipart/mixed; boundary=',
  'multipart/mixed',
  'multipart/mixed boundary=real',
  'multipart/mixed, boundary=real',
  'multipart/mixed;boundary=real',
  'multipart/mixed ; boundary = real',
  'multipart/mixed;;boundary=real',
  'multipart/mixed;\r\n boundary=real',
  'multipart/mixed; boundary=re\r\n al',
  'multipart/mixed; boundary="re\r\n al"',
  'multipart/alternative; boundary=real',
  'multipart/related; boundary=real',
  'multipart/digest; boundary=real',
  'multipart/unknown; boundary=real',
  'multipart/mixed; boundary=rea',
  'multipart/mixed; boundary=real-',
  'multipart/mixed; boundary=real--',
  'multipart/mixed; boundary==?utf-8?Q?real?=',
  'multipart/mixed; boundary=real\0',
  'multipart; boundary=real',
  'message/rfc822',
  'message/partial; id=1',
  'application/octet-stream',
  'text/plain; name=a.txt',
  'text/plain; format=flowed; delsp=yes',
  'text/x-unknown',
  'text/richtext',
];

const ENCODINGS = [
  ...[
    '7bit',
    '8bit',
    'binary',
    'base64',
    'quoted-printable',
    'BASE64',
    'Quoted-Printable',
    'x-uuencode',
    'uuencode',
  ],
  ...[
    'base64 ',
    'base64;',
    'base64; x=y',
    '"base64"',
    '(c) base64',
    'base64 (c)',
    'x-base64',
    'base 64',
    'base64x',
  ],
  ...[
    'quoted-printable;',
    'quoted printable',
    '7bit base64',
    '\r\n base64',
    'base64\r\n \r\n',
    'none',
    '',
    'ba\0se64',
  ],
];

const DISPOSITIONS = [
  ...[
    'inline',
    'attachment',
    'attachment; filename=x.txt',
    'inline; filename=x.txt',
    'INLINE',
    'inline; filename=""',
  ],
  ...['form-data', '"attachment"', 'attachment (c)', '(c) attachment', 'x', "inline; filename*=utf-8''x.txt"],
];

const FORGED_PARTS = [
  '--evil\r\nContent-Type: text/plain\r\n\r\nMARK-FORGED\r\n--evil--\r\n',
  '--evil\r\n\r\nMARK-FORGED\r\n',
  '--real\r\nContent-Type: text/plain\r\n\r\nMARK-FORGED\r\n',
  'Content-Type: text/plain\r\n\r\nMARK-FORGED\r\n',
  'MARK-FORGED\r\n',
];

const PART_FIELDS = [
  ...CONTENT_TYPES.map((value) => `Content-Type: ${value}`),
  ...ENCODINGS.map((value) => `Content-Transfer-Encoding: ${value}`),
  ...DISPOSITIONS.map((value) => `Content-Disposition: ${value}`),
  ...[
    'no colon here',
    ': empty',
    ' folded first',
    'X : y',
    'Content-Type : text/html',
    '\xa0Content-Type: text/html',
  ],
];

function anyField(random: Random): string {
  const name = random.pick(NAMES);
  switch (random.integer(0, 9)) {
    case 0:
      return `Subject: MARK-${random.word().toUpperCase()}`;
    case 1:
      return `${random.pick(['Date', 'To', 'Reply-To', 'Cc', 'Message-ID', 'MIME-Version'])}: ${random.pick(SENDERS)}`;
    case 2:
    case 3:
      return `${random.pick(['Content-Type', 'content-type', 'Content-Type '])}: ${random.pick(CONTENT_TYPES)}`;
    case 4:
      return `Content-Transfer-Encoding: ${random.pick(ENCODINGS)}`;
    case 5:
      return random.pick([
        'no colon here',
        ': empty name',
        'From ceo@victim.example Mon',
        '>From: x',
        'X Y: z',
        ' folded',
        '--real',
        '--evil',
        'X-\xff: y',
      ]);
    case 6:
      return `Content-Disposition: ${random.pick(DISPOSITIONS)}`;
    default:
      return `${name}: ${random.pick(SENDERS)}`;
  }
}

function insertField(draft: Draft, random: Random, field: string): void {
  const at = random.pick([0, draft.fields.length, random.integer(0, draft.fields.length)]);
  draft.fields.splice(at, 0, field);
}

function indexOfField(draft: Draft, name: string): number {
  return draft.fields.findIndex((field) => field.toLowerCase().startsWith(`${name}:`));
}

function replaceField(draft: Draft, name: string, field: string): void {
  const at = indexOfField(draft, name);
  if (at === -1) draft.fields.push(field);
  else draft.fields[at] = field;
}

function insertInto(text: string, random: Random, piece: string): string {
  const at = random.integer(0, text.length);
  return text.slice(0, at) + piece + text.slice(at);
}

/** Where a line of the body begins. */
function lineStart(body: string, random: Random): number {
  const starts = [0, ...[...body.matchAll(/\r\n/g)].map(({ index }) => index + 2)];
  return random.pick(starts);
}

export const MALFORMATIONS: readonly Malformation[] = [
  (draft, random) => insertField(draft, random, anyField(random)),
  (draft, random) => insertField(draft, random, anyField(random)),
  (draft, random) => replaceField(draft, 'from', `From: ${random.pick(SENDERS)}`),
  (draft, random) =>
    replaceField(
      draft,
      'from',
      `${random.pick(NAMES)}:${random.pick(['', ' ', '\t'])}${random.pick(SENDERS)}`,
    ),
  (draft, random) => replaceField(draft, 'content-type', `Content-Type: ${random.pick(CONTENT_TYPES)}`),
  (draft, random) =>
    replaceField(draft, 'content-transfer-encoding', `Content-Transfer-Encoding: ${random.pick(ENCODINGS)}`),
  (draft, random) =>
    replaceField(draft, 'content-disposition', `Content-Disposition: ${random.pick(DISPOSITIONS)}`),
  // The forged header in front, ended by bare line feeds or carriage returns.
  (draft, random) => {
    const end = random.pick(['\n', '\r', '\n\r', '\r\r\n', '\r\n']);
    const text = random.chance(0.5) ? `${end}${end}MARK-FORGED` : '';
    draft.fields.unshift(`X-A: b${end}From: ${random.pick(SENDERS)}${end}Subject: MARK-FORGED${text}`);
  },
  (draft, random) => draft.fields.unshift(`From: ${random.pick(SENDERS)}\r\nSubject: MARK-FORGED`),
  // Folding.
  (draft, random) => {
    const at = random.integer(0, draft.fields.length - 1);
    const fold = random.pick([
      '\r\n ',
      '\r\n\t',
      '\r\n \r\n ',
      '\r\n \t\r\n\t',
      ' \r\n',
      '\r\n\xa0',
      '\r\n\x0b',
      '\n ',
      '\r ',
    ]);
    draft.fields[at] = insertInto(draft.fields[at] as string, random, fold);
  },
  (draft, random) => {
    const at = random.integer(0, draft.fields.length - 1);
    draft.fields[at] = insertInto(draft.fields[at] as string, random, random.pick(BAD_BYTES));
  },
  (draft, random) => {
    draft.body = insertInto(draft.body, random, random.pick(BAD_BYTES));
  },
  // The empty line between header and body.
  (draft, random) => {
    draft.gap = random.pick([
      '',
      ' \r\n',
      '\t\r\n',
      '\n',
      '\r',
      '\r\n\r\n',
      ' \r\n\r\n',
      '\0\r\n',
      'no colon\r\n\r\n',
      '\r\r\n',
      '.\r\n\r\n',
    ]);
  },
  // The body.
  (draft, random) => {
    draft.body = `${draft.body}${random.pick(['', '\r\n', '\r\n\r\n'])}${random.pick(FORGED_PARTS)}`;
  },
  (draft, random) => {
    draft.body = `${random.pick(FORGED_PARTS)}${random.pick(['', '\r\n'])}${draft.body}`;
  },
  (draft, random) => {
    const at = lineStart(draft.body, random);
    draft.body = `${draft.body.slice(0, at)}${random.pick(FORGED_PARTS)}${draft.body.slice(at)}`;
  },
  (draft, random) => {
    const at = lineStart(draft.body, random);
    draft.body = `${draft.body.slice(0, at)}${random.pick(PART_FIELDS)}\r\n${draft.body.slice(at)}`;
  },
  // White space at the end of lines and in runs, which the relaxed form leaves unsigned.
  (draft, random) => {
    const blank = random.pick([' ', '\t', '  \t ']);
    draft.body = draft.body.replaceAll('\r\n', () => (random.chance(0.5) ? `${blank}\r\n` : '\r\n'));
  },
  (draft, random) => {
    draft.body = draft.body.replaceAll(' ', () => random.pick([' ', '  ', '\t', ' \t']));
  },
  (draft, random) => {
    draft.body = draft.body.replace(
      /^--(\w+)/m,
      (_, boundary) =>
        `--${random.pick([`${boundary}x`, `${boundary}-`, `${boundary}--x`, ` ${boundary}`, `${boundary} x`])}`,
    );
  },
  (draft, random) => {
    draft.body = draft.body.slice(0, random.integer(0, draft.body.length));
  },
  (draft) => {
    draft.body += '\r\n\r\n\r\n';
  },
  // Nothing at all: a message that stays as it is must pass.
  () => {},
];
