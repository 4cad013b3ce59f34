/** Builds requests, sends and retries them, and reads the responses. Its only state is its settings. */
import { ConnectionError, errorOf, PostriderError, TimeoutError, unreadable } from './errors.ts';
import type { Answer, AnyInput, Data, Input, OperationName, SendOptions } from './operation.ts';
import { retryDelayMs, takesIdempotencyKey } from './retry.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportSettings {
  /** Ends before `/emails`. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly credentials?: RequestInit['credentials'] | undefined;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

export interface StreamOptions extends SendOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** The content of `{ data }` of the response. */
  async data<K extends OperationName>(
    operation: K,
    input: Input<K>,
    options?: SendOptions,
  ): Promise<Data<K>> {
    return ((await this.answer(operation, input, options)) as { data: Data<K> }).data;
  }

  /** The whole response: JSON, or text if the API returns a file. */
  async answer<K extends OperationName>(
    operation: K,
    input: Input<K>,
    options: SendOptions = {},
  ): Promise<Answer<K>> {
    return this.#untilAnswered(operation, input, options, async (response) => {
      const text = await response.text();
      return { response, read: () => read(response, text) as Answer<K>, text };
    });
  }

  /** The response as a stream. The timeout applies to its beginning. */
  async stream<K extends OperationName>(
    operation: K,
    input: Input<K>,
    options: StreamOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#untilAnswered(operation, input, options, async (response) => {
      if (!response.ok) return { response, read: emptyStream, text: await response.text() };
      return { response, read: () => response.body ?? emptyStream(), text: '', isOpen: true };
    });
  }

  async #untilAnswered<T>(
    operation: string,
    input: AnyInput,
    options: StreamOptions,
    receive: (response: Response) => Promise<Received<T>>,
  ): Promise<T> {
    const { url, init } = this.#request(operation, input, options);
    const { timeoutMs = this.#settings.timeoutMs, maxRetries = this.#settings.maxRetries, signal } = options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(url, init, timeoutMs, signal, receive);
      } catch (error) {
        if (!(error instanceof PostriderError)) throw error;
        error.attempts = attempt;
        const delayMs = attempt > maxRetries ? null : retryDelayMs(error, operation, attempt);
        if (delayMs === null) throw error;
        await wait(delayMs, signal);
      }
    }
  }

  async #attempt<T>(
    url: string,
    init: RequestInit,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    receive: (response: Response) => Promise<Received<T>>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const deadline = new Deadline(timeoutMs, signal);
    let isOpen = false;
    try {
      const received = await receive(await this.#settings.fetch(url, { ...init, signal: deadline.signal }));
      if (!received.response.ok) throw errorOf(received.response, received.text);
      isOpen = received.isOpen ?? false;
      return received.read();
    } catch (error) {
      if (error instanceof PostriderError) throw error;
      signal?.throwIfAborted();
      throw deadline.hasPassed ? new TimeoutError(timeoutMs, error) : new ConnectionError(error);
    } finally {
      deadline.stop();
      if (!isOpen) deadline.letGo();
    }
  }

  #request(operation: string, input: AnyInput, options: StreamOptions): { url: string; init: RequestInit } {
    const [method = 'GET', path = ''] = operation.split(' ');
    const { baseUrl, credentials } = this.#settings;
    const headers: Record<string, string> = { accept: '*/*', ...this.#settings.headers, ...options.headers };
    if (takesIdempotencyKey(operation)) headers['idempotency-key'] = options.idempotencyKey ?? randomKey();
    if (input.body !== undefined)
      headers['content-type'] =
        typeof input.body === 'string' ? 'text/csv; charset=utf-8' : 'application/json';
    const init: RequestInit = { method, headers };
    if (input.body !== undefined)
      init.body = typeof input.body === 'string' ? input.body : JSON.stringify(input.body);
    // Not every runtime supports this option, so it is set only if the caller gave it.
    if (credentials !== undefined) init.credentials = credentials;
    return { url: baseUrl + filled(path, input.params ?? {}) + queryString(input.query ?? {}), init };
  }
}

interface Received<T> {
  readonly response: Response;
  readonly text: string;
  readonly read: () => T;
  /** The body is still arriving, and the caller may cancel it. */
  readonly isOpen?: boolean;
}

function read(response: Response, text: string): unknown {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (text === '') return undefined;
  if (!isJson && /^\s*<(!doctype|html)/i.test(text)) throw unreadable(response, undefined);
  try {
    return isJson ? JSON.parse(text) : text;
  } catch (cause) {
    throw unreadable(response, cause);
  }
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}

/** An id with a slash or a dot in it must not lead to another route. */
function filled(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${path} needs \`${name}\`, and got ${JSON.stringify(value)}.`);
    return encodeURIComponent(String(value));
  });
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) given.append(name, String(one));
  const text = given.toString();
  return text === '' ? '' : `?${text}`;
}

/** Node 18 has no global `crypto`. A random number is enough there, because the key is no secret and only must be unique. */
function randomKey(): string {
  if (globalThis.crypto?.randomUUID) return `sdk_${globalThis.crypto.randomUUID()}`;
  const part = () => Math.random().toString(36).slice(2);
  return `sdk_${Date.now().toString(36)}_${part()}${part()}`;
}

/** Aborts at the timeout, or when the caller aborts. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);
  hasPassed = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      this.#controller.abort();
    }, timeoutMs);
    caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** A caller's signal may live for the whole process, and must not collect our listeners. */
  letGo(): void {
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', end, { once: true });
  });
}
