/**
 * An ACME client (RFC 8555) for one attempt. The directory and the account are fetched once; `signal` aborts
 * every wait. Requests with a rejected nonce are repeated with the nonce from the rejection.
 */
import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AcmeError, asOneLine, problemOf } from './acme-error.ts';
import {
  type Authorization,
  type Order,
  readAuthorization,
  readDirectory,
  readOrder,
} from './acme-messages.ts';
import { type AcmeAnswer, type AcmeTransport, signedRequest } from './acme-transport.ts';

interface AcmeClientOptions {
  readonly transport: AcmeTransport;
  readonly directoryUrl: string;
  readonly accountKey: KeyObject;
  readonly email: string | undefined;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

const MAX_TRIES = 6;
const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 10_000;
const MAX_POLLS = 60;

export class AcmeClient {
  readonly #options: AcmeClientOptions;
  #directory: Promise<ReturnType<typeof readDirectory>> | undefined;
  #account: Promise<string> | undefined;
  #nonce: string | undefined;

  constructor(options: AcmeClientOptions) {
    this.#options = options;
  }

  async newOrder(name: string): Promise<Order> {
    const { newOrder } = await this.#directoryOf();
    const identifiers = [{ type: 'dns', value: name }];
    const answer = await this.#post(newOrder, { identifiers });
    return readOrder(jsonOf(answer), locationOf(answer));
  }

  async order(url: string): Promise<Order> {
    return readOrder(jsonOf(await this.#post(url)), url);
  }

  async authorization(url: string): Promise<Authorization> {
    return readAuthorization(jsonOf(await this.#post(url)));
  }

  /** Reports that the challenge's response is in place. */
  async challengeReady(url: string): Promise<void> {
    await this.#post(url, {});
  }

  async finalize(order: Order, request: Buffer): Promise<void> {
    await this.#post(order.finalize, { csr: request.toString('base64url') });
  }

  /** PEM. */
  async certificate(url: string): Promise<string> {
    return (await this.#post(url)).text;
  }

  untilValidated(url: string): Promise<Authorization> {
    const read = (answer: AcmeAnswer) => readAuthorization(jsonOf(answer));
    return this.#poll(url, read, ({ status }) => status !== 'pending');
  }

  untilProcessed(url: string, waitsFor: readonly string[]): Promise<Order> {
    const read = (answer: AcmeAnswer) => readOrder(jsonOf(answer), url);
    return this.#poll(url, read, ({ status }) => !waitsFor.includes(status));
  }

  async #poll<T>(url: string, read: (answer: AcmeAnswer) => T, isDone: (state: T) => boolean): Promise<T> {
    let pauseMs = FIRST_POLL_MS;
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      const answer = await this.#post(url);
      const state = read(answer);
      if (isDone(state)) return state;
      const askedMs = retryAfterOf(answer, this.#options.nowMs()) ?? pauseMs;
      await sleep(Math.min(askedMs, LONGEST_POLL_MS), undefined, { signal: this.#options.signal });
      pauseMs = Math.min(pauseMs * 2, LONGEST_POLL_MS);
    }
    throw new AcmeError('The ACME server did not finish in time.');
  }

  async #post(url: string, payload?: unknown): Promise<AcmeAnswer> {
    const account = await this.#accountUrl();
    return this.#signed(url, payload, account);
  }

  /** Repeatable: for a known key the server returns the existing account. */
  #accountUrl(): Promise<string> {
    this.#account ??= this.#directoryOf().then(async ({ newAccount }) => {
      const { email } = this.#options;
      const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
      const payload = { termsOfServiceAgreed: true, ...contact };
      return locationOf(await this.#signed(newAccount, payload, undefined));
    });
    return this.#account;
  }

  async #signed(url: string, payload: unknown, account: string | undefined): Promise<AcmeAnswer> {
    const { transport, accountKey: key, signal } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const nonce = await this.#takeNonce();
      const body = signedRequest(key, { url, nonce, account }, payload);
      const answer = await transport(url, { method: 'POST', body, signal });
      this.#nonce = nonceOf(answer);
      if (answer.status < 400) return answer;
      const error = errorOf(answer, this.#options.nowMs());
      if (error.type !== 'badNonce' || tries === MAX_TRIES) throw error;
    }
  }

  async #takeNonce(): Promise<string> {
    const kept = this.#nonce;
    this.#nonce = undefined;
    if (kept !== undefined) return kept;
    const { newNonce } = await this.#directoryOf();
    const { transport, signal } = this.#options;
    const nonce = nonceOf(await transport(newNonce, { method: 'HEAD', signal }));
    if (nonce === undefined) throw new AcmeError('The ACME server gave no nonce.');
    return nonce;
  }

  #directoryOf() {
    this.#directory ??= this.#fetchDirectory();
    return this.#directory;
  }

  async #fetchDirectory() {
    const { transport, directoryUrl, signal, nowMs } = this.#options;
    const answer = await transport(directoryUrl, { method: 'GET', signal });
    if (answer.status !== 200) throw errorOf(answer, nowMs());
    return readDirectory(jsonOf(answer));
  }
}

function errorOf({ status, text, headers }: AcmeAnswer, nowMs: number): AcmeError {
  const { type, detail } = problemOf(parsed(text));
  const retryAfterMs = retryAfterOf({ headers }, nowMs);
  return new AcmeError(
    `The ACME server answered with ${status}${type === undefined ? '' : ` (${type})`}: ${detail}`,
    {
      status,
      ...(type === undefined ? {} : { type }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

function jsonOf({ text }: AcmeAnswer): unknown {
  const found = parsed(text);
  if (found === undefined)
    throw new AcmeError(`The ACME server sent no JSON, but: ${asOneLine(text).slice(0, 80)}`);
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nonceOf({ headers }: AcmeAnswer): string | undefined {
  const nonce = headers['replay-nonce'];
  return typeof nonce === 'string' && /^[A-Za-z0-9_-]{1,512}$/.test(nonce) ? nonce : undefined;
}

function locationOf({ headers }: AcmeAnswer): string {
  if (headers.location === undefined) throw new AcmeError('The ACME server sent no Location.');
  return headers.location;
}

/** Accepts seconds or a date. */
function retryAfterOf({ headers }: Pick<AcmeAnswer, 'headers'>, nowMs: number): number | undefined {
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
