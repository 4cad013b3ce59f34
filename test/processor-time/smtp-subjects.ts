/** A submitted message from the socket to a draft. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { draftOfMessage } from '../../src/doors/submission-smtp/draft-of-message.ts';
import { createReadOptions } from '../../src/doors/submission-smtp/options.ts';
import { parseAddress } from '../../src/kit/message/address.ts';
import { parseCommand, parsePath } from '../../src/kit/smtp/server/commands.ts';
import { MessageReader } from '../../src/kit/smtp/server/message-reader.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;
const MESSAGE_BYTES = 20 * MEBIBYTE;
/** What a socket reads at once, and how often before others have their turn. */
const CHUNK_BYTES = 64 * 1024;
const CHUNKS_PER_TURN = 32;

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

export const smtpSubjects: readonly Subject[] = [
  {
    name: 'A message as it is read from a socket',
    limitBytes: CHUNKS_PER_TURN * CHUNK_BYTES,
    run: (input) => {
      const reader = new MessageReader(MESSAGE_BYTES);
      for (let at = 0; at < input.length; at += CHUNK_BYTES)
        if (reader.take(input.subarray(at, at + CHUNK_BYTES)) !== null) break;
    },
  },
  {
    name: 'A submitted message with html',
    limitBytes: MESSAGE_BYTES,
    run: drafted('X-Postrider-Track-Opens: yes\r\nContent-Type: text/html'),
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
