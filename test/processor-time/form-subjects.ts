/** Forms, and what Mailgun's API makes of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FormBody, readUrlencoded } from '../../src/http/form-body.ts';
import { readMultipart } from '../../src/http/multipart.ts';
import { withLineEnds } from '../../src/ingress/compat/mailgun/line-ends.ts';
import { jsonOf, mailgunBody } from '../../src/ingress/compat/mailgun/message-body.ts';
import { personalBodies } from '../../src/ingress/compat/mailgun/recipient-variables.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;
const BODY_BYTES = 20 * MEBIBYTE;
const TEXT_BYTES = 2 * MEBIBYTE;

const FIELDS = [
  ...['from', 'to', 'subject', 'html', 'h:Reply-To', 'h:X-A', 'o:tag', 'o:deliverytime', 'o:tracking'],
  ...['t:variables', 'v:a', 'h:X-Mailgun-Variables', 't:text'],
];

function formOf(name: string, content: Buffer, count = 1): FormBody {
  const part = { name, filename: null, contentType: null, content };
  return new FormBody(Array.from({ length: count }, () => part));
}

/** The fields of a form, as many as fit. */
function fieldsNamed(name: (index: number) => string, content: string): (bytes: number) => Buffer {
  return (bytes) => {
    const parts: string[] = [];
    for (let index = 0, size = 4; index < 2_000; index += 1) {
      const part = `--b\r\nContent-Disposition: form-data; name="${name(index)}"\r\n\r\n${content}\r\n`;
      size += part.length;
      if (size > bytes) break;
      parts.push(part);
    }
    return Buffer.from(`${parts.join('')}--b--`);
  };
}

const message = async (form: FormBody) => {
  const { body } = await mailgunBody(form);
  const variables = await jsonOf(form, 'recipient-variables');
  return variables === undefined
    ? body
    : personalBodies(body, variables)
        .slice(0, 3)
        .map((make) => make());
};

const storedNumbers = repeated('0,', '{"a":[', '"\\u0000"]}');
/** Just as many values as a text may have, each of two characters. */
const MANY_VALUES = 799_000;

export const formSubjects: readonly Subject[] = [
  {
    name: 'A multipart form, as a message of Mailgun',
    limitBytes: BODY_BYTES,
    run: async (input) =>
      message(new FormBody(await readMultipart(input, 'multipart/form-data; boundary=b'))),
    shapes: {
      'many recipients': fieldsNamed(() => 'to', 'a@b.example,'.repeat(800)),
      'many recipients that are not ASCII': fieldsNamed(() => 'to', 'é@é.example,'.repeat(15)),
      'many variables': fieldsNamed((index) => `v:${index}`, 'x'.repeat(1_000)),
      'many tags': fieldsNamed(() => 'o:tag', 'x'.repeat(1_000)),
      'many headers': fieldsNamed((index) => `h:X-${index}`, 'x'.repeat(9_000)),
      'long names': fieldsNamed((index) => `h:${index}${'é'.repeat(4_000)}`, 'x'),
      'blanks behind a boundary': repeated(' ', '--b\r\nA: b\r\n\r\n\r\n--b', '\r\n'),
    },
    whole: ['nothing but CRLF', 'many recipients', 'many variables', 'blanks behind a boundary'],
  },
  { name: 'An urlencoded form', limitBytes: 4 * MEBIBYTE, run: readUrlencoded },
  {
    name: 'Line ends of a message of Mailgun',
    limitBytes: BODY_BYTES,
    run: withLineEnds,
    whole: ['nothing but LF', 'one long word'],
  },
  {
    name: 'Each field of a message of Mailgun',
    limitBytes: TEXT_BYTES,
    run: async (input) => {
      for (const field of FIELDS) {
        await message(formOf(field, input)).catch(() => undefined);
        await nextTurn();
      }
    },
  },
  {
    name: 'Recipient variables of Mailgun',
    limitBytes: TEXT_BYTES,
    run: (input) => jsonOf(formOf('recipient-variables', input), 'recipient-variables'),
    shapes: {
      'numbers, and a character that cannot be stored': (bytes) =>
        storedNumbers(Math.min(bytes, MANY_VALUES)),
    },
    whole: ['numbers, and a character that cannot be stored'],
  },
  {
    name: 'A text of Mailgun with variables in it',
    limitBytes: TEXT_BYTES,
    run: (input) => {
      const body = { to: [{ email: 'a@b.example' }], html: input.toString('latin1') };
      return personalBodies(body, { 'a@b.example': { a: 'b' } }).map((make) => make());
    },
    shapes: { 'variables without an end': repeated(`%recipient.${'a'.repeat(200)}`) },
    whole: ['merge variables', 'variables without an end'],
  },
];
