/** Asks rspamd what it makes of a mail: `POST /checkv2`, the whole message. What it says is taken for text of strangers, too. */
import type { MailScans } from '../../../received/received-email.ts';
import type { Scanned } from './scanned.ts';

/** Of its answer, which names every rule that it has looked at. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_SYMBOLS = 50;
const SYMBOL = /^[A-Z0-9_.-]{1,100}$/i;
/** Everything short of these it would let through. */
const SPAM_ACTIONS = new Set(['reject', 'rewrite subject', 'add header', 'quarantine', 'discard']);

/** Throws where there is no answer that can be read. */
export async function askRspamd(url: string, mail: Scanned, timeMs: number): Promise<MailScans['spam']> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/checkv2`, {
    method: 'POST',
    headers: headersOf(mail),
    body: new Uint8Array(mail.raw),
    redirect: 'error',
    signal: AbortSignal.timeout(timeMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`rspamd answered ${response.status}.`);
  if (text.length > MAX_ANSWER_BYTES) throw new Error('rspamd answered with more than a megabyte.');
  return readVerdict(JSON.parse(text));
}

function headersOf({ mailFrom, recipients, remoteAddress, helo }: Scanned): [string, string][] {
  const known: [string, string][] = [
    ['From', mailFrom],
    ['IP', remoteAddress],
    ['Helo', helo],
    ...recipients.map((one): [string, string] => ['Rcpt', one]),
  ];
  return known.map(([name, value]) => [name, asHeader(value)]);
}

/** Strangers chose these; a header takes visible characters. */
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
