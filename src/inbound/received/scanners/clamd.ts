/** Scans a mail for viruses with clamd: INSTREAM, over TCP or a local socket. */
import { connect, type NetConnectOpts } from 'node:net';
import type { MailScans } from '../../../received/received-email.ts';

const CHUNK_BYTES = 64 * 1024;
/** The answer is one line. */
const MAX_ANSWER_CHARS = 1_000;
const MAX_NAME_CHARS = 200;

/** `tcp://host:3310`, or `unix:/run/clamav/clamd.ctl`. */
export function clamdPlace(address: string): NetConnectOpts {
  if (address.startsWith('unix:')) return { path: address.slice('unix:'.length) };
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3310) };
}

/** Throws if there is no readable answer, or if the mail exceeds clamd's size limit. */
export async function askClamd(address: string, raw: Buffer, timeMs: number): Promise<MailScans['virus']> {
  return readFinding(await exchange(clamdPlace(address), framed(raw), timeMs));
}

export function readFinding(answer: string): MailScans['virus'] {
  const line = answer.replace(/[\0\r\n]+$/, '');
  if (line === 'stream: OK') return { result: 'clean', name: null };
  const name = /^stream: ([\x21-\x7e]+) FOUND$/.exec(line)?.[1];
  if (name === undefined) throw new Error(`clamd answered: ${line.slice(0, 100)}`);
  return { result: 'found', name: name.slice(0, MAX_NAME_CHARS) };
}

/** Each chunk after its length, and an empty one at the end. */
function* framed(raw: Buffer): Generator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for (let at = 0; at < raw.length; at += CHUNK_BYTES) {
    const piece = raw.subarray(at, at + CHUNK_BYTES);
    yield lengthOf(piece.length);
    yield piece;
  }
  yield lengthOf(0);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

function exchange(place: NetConnectOpts, pieces: Iterable<Buffer>, timeMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(place);
    let answer = '';
    const end = (act: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      act();
    };
    const timer = setTimeout(() => end(() => reject(new Error(`No answer within ${timeMs} ms.`))), timeMs);
    socket.once('connect', () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
      if (answer.includes('\0') || answer.length > MAX_ANSWER_CHARS) end(() => resolve(answer));
    });
    socket.once('end', () => end(() => resolve(answer)));
    // clamd closes the connection while it receives an oversized mail, after it has answered.
    socket.once('error', (error) => end(() => (answer === '' ? reject(error) : resolve(answer))));
  });
}
