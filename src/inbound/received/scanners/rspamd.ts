/** Checks a mail with rspamd: `POST /checkv2` with the whole message. The answer is treated as untrusted text, too. */
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as startHttp } from 'node:http';
import { request as startHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { MailScans } from '../../../received/received-email.ts';
import type { Scanned } from './scanned.ts';

/** The limit of the answer, which names every rule that was checked. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_SYMBOLS = 50;
const SYMBOL = /^[A-Z0-9_.-]{1,100}$/i;
/** With any weaker action, rspamd would deliver the mail. */
const SPAM_ACTIONS = new Set(['reject', 'rewrite subject', 'add header', 'quarantine', 'discard']);

/** Bytes of the mail that are sent in one go. */
const PIECE_BYTES = 64 * 1024;

/** Throws if there is no readable answer. */
export async function askRspamd(url: string, mail: Scanned, timeMs: number): Promise<MailScans['spam']> {
  const { status, text } = await post(new URL(`${url.replace(/\/+$/, '')}/checkv2`), mail, timeMs);
  if (status !== 200) throw new Error(`rspamd answered ${status}.`);
  return readVerdict(JSON.parse(text));
}

/** `fetch` would copy a mail of 25 MB twice before it sends any of it. */
async function post(url: URL, mail: Scanned, timeMs: number): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(timeMs);
  const start = url.protocol === 'https:' ? startHttps : startHttp;
  const request = start(url, { method: 'POST', headers: headersOf(mail), signal });
  const answered = once(request, 'response', { signal });
  // An answer may arrive before all of the mail was sent.
  await Promise.race([pipeline(piecesOf(mail.raw), request, { signal }), answered]);
  const [response] = (await answered) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

function* piecesOf(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) yield raw.subarray(at, at + PIECE_BYTES);
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('rspamd answered with more than a megabyte.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function headersOf({ raw, mailFrom, recipients, remoteAddress, helo }: Scanned): OutgoingHttpHeaders {
  return {
    From: asHeader(mailFrom),
    IP: asHeader(remoteAddress),
    Helo: asHeader(helo),
    Rcpt: recipients.map(asHeader),
    'Content-Length': raw.length,
  };
}

/** These values are untrusted; a header permits only visible characters. */
function asHeader(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '?');
}

/** Its strongest rules, in either direction, come first. */
export function readVerdict(answer: unknown): MailScans['spam'] {
  const { action, score, symbols } = answer as { action?: unknown; score?: unknown; symbols?: unknown };
  if (typeof action !== 'string' || typeof score !== 'number')
    throw new Error('rspamd answered with no verdict.');
  const found = Object.entries((symbols ?? {}) as Record<string, { score?: unknown } | null>)
    .filter(([name]) => SYMBOL.test(name))
    .map(([name, one]) => ({ name, weight: typeof one?.score === 'number' ? Math.abs(one.score) : 0 }))
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  return {
    result: SPAM_ACTIONS.has(action) ? 'found' : 'clean',
    score: Math.round(score * 100) / 100,
    symbols: found.slice(0, MAX_SYMBOLS).map(({ name }) => name),
  };
}
