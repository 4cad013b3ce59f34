/**
 * A bucket with the API of Amazon's S3. Requests are signed with the hash of their content, so a body changed
 * in transit is refused. A put counts only after the bucket confirms the object's length.
 */

import type { Clock } from '../../runtime/clock.ts';
import type { BucketConfig } from '../../runtime/content-store-config.ts';
import { sha256InTurns } from '../../runtime/large-hash.ts';
import { connectionWords } from '../fetch/failure-text.ts';
import { type ObjectStore, StoreProblem } from './object-store.ts';

/** A reader waits for the content. */
const READ_WITHIN_MS = 10_000;
const WRITE_WITHIN_MS = 30_000;
/** Limit for a read object: twice the largest email. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** Limit for other responses. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const LISTED_AT_ONCE = 1_000;

interface Asked {
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly withinMs: number;
}

export class S3Store implements ObjectStore {
  readonly #bucket: BucketConfig;
  readonly #clock: Clock;
  readonly #readWithinMs: number;
  /** The library's cache: one key per day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  /** Tests use shorter timeouts. */
  constructor(bucket: BucketConfig, clock: Clock, readWithinMs = READ_WITHIN_MS) {
    this.#bucket = bucket;
    this.#clock = clock;
    this.#readWithinMs = readWithinMs;
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const response = await this.#ask({ method: 'PUT', name, body: bytes, withinMs: WRITE_WITHIN_MS });
    await this.#expect(response, [200, 201, 204]);
    const stored = await this.#ask({ method: 'HEAD', name, withinMs: this.#readWithinMs });
    await this.#expect(stored, [200]);
    const length = stored.headers.get('content-length');
    if (length !== String(bytes.length))
      throw new StoreProblem(
        `An object of ${bytes.length} bytes was put, and ${length ?? 'none'} are there.`,
      );
  }

  async get(name: string): Promise<Buffer | null> {
    const response = await this.#ask({ method: 'GET', name, withinMs: this.#readWithinMs });
    if (response.status === 404 && (await codeIn(response)) === 'NoSuchKey') return null;
    await this.#expect(response, [200]);
    return this.#read(response, MAX_OBJECT_BYTES);
  }

  async remove(name: string): Promise<void> {
    const response = await this.#ask({ method: 'DELETE', name, withinMs: WRITE_WITHIN_MS });
    if (response.status === 404 && (await codeIn(response)) === 'NoSuchKey') return;
    await this.#expect(response, [200, 202, 204]);
  }

  async list(beginning: string): Promise<readonly string[]> {
    const { prefix } = this.#bucket;
    const query = { 'list-type': '2', 'max-keys': String(LISTED_AT_ONCE), prefix: prefix + beginning };
    const response = await this.#ask({ method: 'GET', name: '', query, withinMs: this.#readWithinMs });
    await this.#expect(response, [200]);
    const text = (await this.#read(response, MAX_ANSWER_BYTES)).toString('utf8');
    // Our names need no escaping, so they appear literally.
    const names = [...text.matchAll(/<Key>([^<&]+)<\/Key>/g)].map(([, key = '']) => key);
    return names.filter((key) => key.startsWith(prefix + beginning)).map((key) => key.slice(prefix.length));
  }

  /** Sends a request without signature, as any client could. */
  async isReadByAnybody(name: string): Promise<boolean> {
    const asked = {
      method: 'GET',
      redirect: 'manual',
      signal: AbortSignal.timeout(this.#readWithinMs),
    } as const;
    const response = await fetch(objectUrl(this.#bucket, name), asked);
    await response.body?.cancel();
    return response.ok;
  }

  async #ask(asked: Asked): Promise<Response> {
    const { method, body, withinMs } = asked;
    try {
      const { url, headers } = await this.#signed(asked);
      return await fetch(url, {
        ...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(withinMs) },
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      });
    } catch (error) {
      throw notAnswered(error, withinMs);
    }
  }

  async #signed({ method, body, ...asked }: Asked): Promise<{ url: URL; headers: Headers }> {
    const { AwsV4Signer } = await import('aws4fetch');
    const { accessKeyId, secretAccessKey, region } = this.#bucket;
    const hash = await sha256InTurns(body ?? Buffer.alloc(0), 'hex');
    const signer = new AwsV4Signer({
      ...{
        method,
        url: objectUrl(this.#bucket, asked.name, asked.query).href,
        headers: { 'x-amz-content-sha256': hash },
      },
      ...{ accessKeyId, secretAccessKey, region, service: 's3', cache: this.#signingKeys },
      datetime: new Date(this.#clock.nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
    const { url, headers } = await signer.sign();
    return { url, headers };
  }

  async #expect(response: Response, statuses: readonly number[]): Promise<void> {
    if (statuses.includes(response.status)) {
      if (response.status !== 200) await response.body?.cancel();
      return;
    }
    const code = await codeIn(response);
    throw new StoreProblem(`It answered ${response.status}${code === null ? '' : ` (${code})`}.`, { code });
  }

  async #read(response: Response, maxBytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new StoreProblem(`It answered with more than ${maxBytes} bytes.`);
        chunks.push(chunk);
      }
    } catch (error) {
      throw notAnswered(error, this.#readWithinMs);
    }
    return Buffer.concat(chunks);
  }
}

/** The URL of the bucket itself for an empty name. */
export function objectUrl(
  { endpoint, bucket, prefix, pathStyle }: BucketConfig,
  name: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(endpoint);
  const above = url.pathname.replace(/\/+$/, '');
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  // No trailing slash after the bucket: stores treat it differently when they verify the signature.
  const path = [...(pathStyle ? [bucket] : []), ...(name === '' ? [] : [prefix + name])].join('/');
  url.pathname = `${above}/${path}`;
  url.search = new URLSearchParams(query).toString();
  return url;
}

function notAnswered(error: unknown, withinMs: number): StoreProblem {
  if (error instanceof StoreProblem) return error;
  if (error instanceof Error && error.name === 'TimeoutError')
    return new StoreProblem(`It did not answer within ${withinMs / 1_000} seconds.`, { cause: error });
  // The error of fetch has no detail; its cause does.
  const { cause } = error as { cause?: unknown };
  return new StoreProblem(`It cannot be reached: ${connectionWords(cause ?? error)}.`, { cause: error });
}

/** The error code in a response, whose body can be read only once. */
async function codeIn(response: Response): Promise<string | null> {
  const kept = codes.get(response);
  if (kept !== undefined) return kept;
  const text = (await response.text().catch(() => '')).slice(0, 4_096);
  const code = /<Code>([\w.]{1,64})<\/Code>/.exec(text)?.[1] ?? null;
  codes.set(response, code);
  return code;
}

const codes = new WeakMap<Response, string | null>();
