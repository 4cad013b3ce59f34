/** The header of a submitted message: the options in it, and the addresses. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createReadOptions } from '../../src/ingress/smtp-submission/options.ts';
import { MAX_HEADER_BYTES, readHeaderBlock } from '../../src/protocols/message/reading/header-block.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

const readOptions = createReadOptions({ nowMs: () => 0 });

/** Every field whose value is read in a way of its own. */
const FIELDS = [
  ...['X-Postrider-Tag', 'X-Postrider-Metadata', 'X-Postrider-Track-Opens', 'X-Postrider-Track-Clicks'],
  ...['X-Postrider-Send-At', 'X-Postrider-Template', 'X-Postrider-Template-Data', 'X-Postrider-Locale'],
  ...['X-Postrider-Stream', 'X-Postrider-Idempotency-Key', 'X-Postrider-Collapse-Key', 'X-Postrider-Taag'],
  ...['X-PM-Tag', 'X-PM-Track-Links', 'X-PM-Message-Stream', 'X-PM-Metadata-a', 'X-SMTPAPI'],
  ...['X-Mailgun-Tag', 'X-Mailgun-Variables', 'X-Mailgun-Track', 'X-Mailgun-Deliver-By'],
  ...['X-Mailgun-Template-Variables', 'X-SES-Message-Tags', 'X-SES-List-Management-Options'],
];

/** As many fields as fit. */
function fieldsLike(field: (index: number) => string): (bytes: number) => Buffer {
  return (bytes) => {
    const lines: string[] = [];
    for (let index = 0, size = 0; index < 1_000; index += 1) {
      const line = `${field(index)}\r\n`;
      size += line.length;
      if (size > bytes) break;
      lines.push(line);
    }
    return Buffer.from(lines.join(''));
  };
}

function inOneLine(input: Buffer): Buffer {
  return input.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)) as Buffer;
}

const spaces = (count: number) => ' '.repeat(count);

export const headerSubjects: readonly Subject[] = [
  {
    name: 'The value of each option in the header of a submitted message',
    limitBytes: MAX_HEADER_BYTES,
    run: async (input) => {
      const value = inOneLine(input).toString('utf8');
      await nextTurn();
      for (const field of FIELDS) {
        readOptions([{ name: field.toLowerCase(), text: `${field}: ${value}` }]);
        await nextTurn();
      }
    },
    shapes: {
      'X-SMTPAPI categories': repeated('"a",', '{"category":[', '"a"]}'),
      'X-SMTPAPI arguments': repeated('"a":"b",', '{"unique_args":{', '"a":"b"}}'),
      'tags of SES': repeated('a=b,', '', 'a=b'),
      'a tag of SES with spaces in it': repeated(' ', 'a=b', 'c'),
      'a template of nested data': repeated('{"a":', '{"a":'),
    },
    whole: ['X-SMTPAPI categories', 'tags of SES', 'a tag of SES with spaces in it'],
  },
  {
    name: 'The options of a header with many fields',
    limitBytes: MAX_HEADER_BYTES,
    run: (input) => {
      const block = readHeaderBlock(input);
      return block.ok ? readOptions(block.fields) : block;
    },
    shapes: {
      'fields with spaces before a tag': fieldsLike(() => `X-Postrider-Tag: ${spaces(900)}a=b`),
      'fields with a tag': fieldsLike(() => 'X-Mailgun-Tag: a'),
      'fields with metadata': fieldsLike((index) => `X-Postrider-Metadata: {"a${index}":1}`),
      'fields with much metadata': fieldsLike(
        (index) => `X-Mailgun-Variables: {${Array.from({ length: 80 }, (_, key) => `"${index}.${key}":1`)}}`,
      ),
    },
    whole: ['header fields', 'fields with spaces before a tag', 'fields with much metadata'],
  },
];
