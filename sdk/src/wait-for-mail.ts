/** Waits for a message in the sandbox inbox, and explains why none arrived. */
import { PostriderError } from './errors.ts';
import { momentText } from './moment.ts';
import type { Data, RequestOptions } from './operation.ts';
import type { Sandbox } from './resources/sandbox.ts';
import { wait as pause, type Transport } from './transport.ts';

export interface WantedMail {
  /** Only messages to this address. Case is ignored. */
  readonly to?: string | undefined;
  /** Only messages with this text in the subject. Case is ignored. */
  readonly subject?: string | undefined;
  /** Only messages that arrived at this time or later, by the clock of the server. */
  readonly since?: string | Date | undefined;
}

export interface WaitForMailOptions extends Pick<RequestOptions, 'signal'> {
  /**
   * Timeout in milliseconds. The default is 4 seconds, because vitest and Jest end a test after 5, before the error would be shown. If
   * you set a longer timeout, raise the timeout of the test as well.
   */
  readonly timeoutMs?: number | undefined;
}

/** No message arrived in time. The error lists the messages that arrived instead and the status of mail to that recipient. */
export class MailNotReceivedError extends PostriderError {
  override readonly name = 'MailNotReceivedError';
}

export const DEFAULT_TIMEOUT_MS = 4_000;
/** The longest time that the API waits. */
const LONGEST_WAIT_MS = 30_000;
/** Extra time for the transfer of the request and the response. */
const MARGIN_MS = 10_000;
/** Tolerance for a fraction of a second. */
const ROUNDING_MS = 100;
const MENTIONED = 5;

/** Time for the details of the error. With the default timeout, the error is thrown before a test runner ends the test. */
export function cluesTimeoutMs(timeoutMs: number): number {
  return Math.max(800, timeoutMs / 10);
}

export interface MailPlaces {
  readonly sandbox: Sandbox;
  readonly api: Transport;
}

export async function waitForMail(
  places: MailPlaces,
  wanted: WantedMail,
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: WaitForMailOptions,
): Promise<NonNullable<Data<'GET /sandbox/messages/latest'>>> {
  const untilMs = Date.now() + timeoutMs;
  const { to, subject, since } = wanted;
  const filter = { to, subject, since: since === undefined ? undefined : momentText(since) };
  for (;;) {
    const leftMs = Math.max(0, untilMs - Date.now());
    // The API waits for whole seconds. The client waits for the rest, so that the error is thrown in time.
    const wait = Math.floor(Math.min(leftMs + ROUNDING_MS, LONGEST_WAIT_MS) / 1000);
    if (wait === 0) await pause(leftMs, signal);
    const options = { signal, timeoutMs: wait * 1000 + MARGIN_MS };
    const message = await places.sandbox.latest({ ...filter, wait }, options);
    if (message !== null) return message;
    if (Date.now() >= untilMs) throw await notReceived(places, wanted, timeoutMs, signal);
  }
}

async function notReceived(
  places: MailPlaces,
  wanted: WantedMail,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<MailNotReceivedError> {
  const clues = await cluesOf(places, wanted, cluesTimeoutMs(timeoutMs), signal).catch(() => []);
  const message = [`${sentenceOf(wanted)} arrived within ${timeoutMs / 1000} s.`, ...clues].join('\n');
  return new MailNotReceivedError({ code: 'TIMED_OUT', message, status: 0 });
}

function sentenceOf({ to, subject, since }: WantedMail): string {
  return [
    'No mail',
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(subject === undefined ? [] : [`with "${subject}" in its subject`]),
    ...(since === undefined ? [] : [`since ${momentText(since)}`]),
  ].join(' ');
}

async function cluesOf(
  { sandbox, api }: MailPlaces,
  { to }: WantedMail,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const limit = MENTIONED;
  const options = { signal, timeoutMs, maxRetries: 0 };
  const [emails, captured] = await Promise.all([
    to === undefined ? { data: [] } : api.answer('GET /emails', { query: { to, limit } }, options),
    sandbox.list({ limit }, options),
  ]);
  const sent = emails.data.map(
    ({ id, subject, status }) => `An email to them, "${subject}", is ${status} (${id}).`,
  );
  if (to !== undefined && sent.length === 0) sent.push('No email to them was accepted: was it sent at all?');
  const last = captured.data.map((one) => `  ${one.received_at} to ${one.to}: ${one.subject}`);
  return [...sent, last.length === 0 ? 'The inbox is empty.' : 'What arrived last:', ...last];
}
