/**
 * Ways to malform a message that readers may disagree about. Each changes a message that is well formed so far; an attacker applies
 * them to a message that somebody else has signed, or to one that they sign themselves.
 */
import type { Random } from '../../fuzz/random.ts';
import {
  BAD_BYTES,
  CONTENT_TYPES,
  DISPOSITIONS,
  ENCODINGS,
  FORGED_PARTS,
  NAMES,
  PART_FIELDS,
  SENDERS,
} from './malformed-values.ts';

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
