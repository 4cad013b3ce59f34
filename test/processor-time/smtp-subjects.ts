/** A submitted message from the socket to a draft. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { draftOfMessage } from '../../src/ingress/smtp-submission/draft-of-message.ts';
import { createReadOptions } from '../../src/ingress/smtp-submission/options.ts';
import { parseAddress } from '../../src/protocols/message/address.ts';
import { parseCommand, parsePath } from '../../src/protocols/smtp/server/commands.ts';
import { MessageReader } from '../../src/protocols/smtp/server/message-reader.ts';
import { SessionInput } from '../../src/protocols/smtp/server/session-input.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;
const MESSAGE_BYTES = 20 * MEBIBYTE;
/** What a socket reads at once. */
const CHUNK_BYTES = 64 * 1024;

const readOptions = createReadOptions({ nowMs: () => 0 });
const recipient = parseAddress('c@d.example');

function drafted(head: string): Subject['run'] {
  const header = Buffer.from(`From: a@b.example\r\nMIME-Version: 1.0\r\n${head}\r\n\r\n`);
  return async (input) => {
    if (!recipient.ok) throw new TypeError('the address of the recipient is wrong');
    const mime = Buffer.concat([header, input]);
    await nextTurn();
    return draftOfMessage(mime, [recipient], readOptions);
  };
}

/** As fast as a socket can be read: the stream never waits for another turn of the event loop. */
function received(input: Buffer): unknown {
  const chunks: Buffer[] = [];
  for (let at = 0; at < input.length; at += CHUNK_BYTES) chunks.push(input.subarray(at, at + CHUNK_BYTES));
  const socket = Readable.from(chunks, { objectMode: false }) as unknown as Socket;
  return new SessionInput(socket).message(new MessageReader(MESSAGE_BYTES), MESSAGE_BYTES, 600_000);
}

export const smtpSubjects: readonly Subject[] = [
  {
    name: 'A message as it is read from a socket',
    limitBytes: MESSAGE_BYTES,
    run: received,
    shapes: { 'lines that begin with a dot': repeated('..\r\n') },
    whole: ['nothing but CRLF', 'lines that begin with a dot', 'one long word'],
  },
  {
    name: 'A submitted message with html',
    limitBytes: MESSAGE_BYTES,
    run: drafted('X-Postrider-Track-Opens: yes\r\nContent-Type: text/html'),
    whole: ['nothing but CRLF', 'CRLF, then a bare LF'],
  },
  {
    name: 'A submitted message with files for a template',
    limitBytes: MESSAGE_BYTES,
    run: drafted(
      [
        'X-Postrider-Template: t\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a',
        'Content-Type: application/pdf\r\nContent-Transfer-Encoding: quoted-printable',
      ].join('\r\n'),
    ),
    whole: ['soft line breaks'],
  },
  {
    name: 'A command',
    limitBytes: 2_048,
    run: (input) => {
      const { argument } = parseCommand(`MAIL ${input.toString('latin1')}`);
      return [parsePath(argument, 'FROM'), parsePath(`FROM:<a> ${argument}`, 'FROM'), parseAddress(argument)];
    },
  },
];
