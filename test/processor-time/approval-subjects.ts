/** The view of a message that waits for approval. Whoever asks for the approval chooses every byte of the message. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { viewingMessage } from '../../src/interventions/approvals/message-routes.ts';
import { findingHiddenTexts } from '../../src/protocols/message/plain-text/hidden-text.ts';
import { readHeaderBlock } from '../../src/protocols/message/reading/header-block.ts';
import { outlining } from '../../src/protocols/message/reading/message-outline.ts';
import { inTurns, type SlicedWork } from '../../src/runtime/sliced-work.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;
const MESSAGE = 'From: a@example.org\r\nMIME-Version: 1.0\r\n';
const HTML = `${MESSAGE}Content-Type: text/html\r\n`;
const MIXED = `${MESSAGE}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;

/** No message with another header is accepted: what would be one becomes a part of it. */
function messageOf(input: Buffer): Buffer {
  return readHeaderBlock(input).ok ? input : Buffer.concat([Buffer.from(`${MIXED}--b\r\n`), input]);
}

function* viewing(raw: Buffer): SlicedWork<unknown> {
  return yield* viewingMessage(raw.length, yield* outlining(raw), []);
}

export const approvalSubjects: readonly Subject[] = [
  {
    name: 'View of a message that waits for approval',
    limitBytes: 20 * MEBIBYTE,
    whole: ['nothing but spaces', 'one long word', 'a header field of folds'],
    run: async (input) => {
      const raw = messageOf(input);
      await nextTurn();
      return inTurns(viewing(raw));
    },
    shapes: {
      'html in quoted-printable': repeated(
        '=3Cb>',
        `${HTML}Content-Transfer-Encoding: quoted-printable\r\n\r\n`,
      ),
      'html in base64': repeated('PGI+', `${HTML}Content-Transfer-Encoding: base64\r\n\r\n`),
      'html of NULs': repeated('\0', `${HTML}\r\n`),
      'html in Shift JIS': repeated('a', `${HTML.trimEnd()}; charset=shift_jis\r\n\r\n`),
      'parts of one line': repeated('--b\r\n\r\na\r\n', MIXED),
      'text behind the last part': repeated('a b ', `${MIXED}--b\r\n\r\na\r\n--b--\r\n`),
      'a delimiter line without an end': repeated('a', `${MIXED}--b `),
      'lines that are no fields': repeated('a\r\n'),
      'spaces in a header field': repeated(' ', `${MESSAGE}Subject: a`, 'b\r\n\r\n'),
    },
  },
  {
    name: 'Hidden text in html',
    limitBytes: 2 * MEBIBYTE,
    whole: ['empty titles'],
    run: async (input) => {
      const html = input.toString('latin1');
      await nextTurn();
      return inTurns(findingHiddenTexts(html));
    },
    shapes: {
      'comments without an end': repeated('<!-- ', '', ''),
      'empty comments': repeated('<!---->'),
      'titles without an end': repeated('<title>'),
      'empty titles': repeated('<title></title>'),
      'tags that never end': repeated('<svg '),
      'one hidden element of elements': repeated('<b>a</b>', '<p hidden>'),
      'hidden elements in each other': repeated('<p hidden>'),
      'hidden elements beside each other': repeated('<p hidden>a</p>'),
      'a style of spaces': repeated(' ', '<p style="display', ':">a'),
      'a style of zeros': repeated('0', '<p style="opacity:', '1">a'),
      'styles that almost hide': repeated('<p style="opacity:0.0000001">a</p>'),
      'blanks in a comment': repeated(' \n', '<!--', '-->'),
    },
  },
];
