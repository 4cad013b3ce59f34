/**
 * Replaces Pebble, the ACME test server of Let's Encrypt, with the same behaviour: verifies every signature, refuses some valid
 * nonces at random, moves orders through their states, and validates HTTP-01 and TLS-ALPN-01 over real connections. Every name
 * resolves to 127.0.0.1 and the ports that a test sets. External account binding is not required.
 */
import {
  createHash,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { type AcmeAuthority, createAuthority } from './acme-authority.ts';
import { validateHttp, validateTls } from './acme-validation.ts';

export interface AcmeServerOptions {
  /** The share of valid nonces to refuse, from 0 to 1. Pebble refuses one of twenty. */
  readonly refusedNonces?: number;
  readonly lifetimeMs?: number;
  readonly validFromMs?: () => number;
}

interface StandInOrder {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  authorization: 'pending' | 'valid' | 'invalid';
  error: Problem | undefined;
  chain: string | undefined;
}

interface Problem {
  readonly type: string;
  readonly detail: string;
}

interface Asked {
  readonly path: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly key: KeyObject;
  readonly thumbprint: string;
}

const URN = 'urn:ietf:params:acme:error:';

export class AcmeServer {
  readonly authority: AcmeAuthority = createAuthority();
  readonly orders: StandInOrder[] = [];
  readonly accounts = new Map<string, KeyObject>();
  /** The ports that all names resolve to. */
  readonly ports = { http: 1, tls: 1 };
  /** Names that resolve to another host. */
  readonly elsewhere = new Set<string>();
  /** Names whose orders are refused with `rateLimited`. */
  readonly limited = new Set<string>();
  /** The errors for the next requests to a path. */
  readonly refusals: { path: string; status: number; problem: Problem; retryAfter?: string }[] = [];
  /** Called before a certificate is downloaded. */
  beforeDownload: (() => Promise<void>) | undefined;
  refusedNonces = 0;
  #options: AcmeServerOptions;
  #server: Server;
  #nonces = new Set<string>();

  private constructor(options: AcmeServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) =>
        this.#refuse(response, 500, 'serverInternal', error.message),
      );
    });
  }

  static async start(options: AcmeServerOptions = {}): Promise<AcmeServer> {
    const server = new AcmeServer({ refusedNonces: 0.05, ...options });
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get directoryUrl(): string {
    return `${this.origin}/dir`;
  }

  ordersFor(name: string): StandInOrder[] {
    return this.orders.filter((order) => order.name === name);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const path = request.url ?? '/';
    response.setHeader('Replay-Nonce', this.#newNonce());
    if (path === '/dir') return this.#send(response, 200, this.#directory());
    if (path === '/nonce') return this.#send(response, 200);
    const body = await readText(request);
    const refused = this.refusals.findIndex((one) => one.path === path);
    if (refused >= 0) return this.#refuseOnce(response, refused);
    const asked = this.#verified(path, body);
    if ('problem' in asked) return this.#refuse(response, 400, asked.problem, asked.detail);
    return this.#route(asked, response);
  }

  #refuseOnce(response: ServerResponse, index: number): unknown {
    const [one] = this.refusals.splice(index, 1);
    if (one === undefined) return undefined;
    if (one.retryAfter !== undefined) response.setHeader('Retry-After', one.retryAfter);
    return this.#refuse(response, one.status, one.problem.type, one.problem.detail);
  }

  async #route(asked: Asked, response: ServerResponse): Promise<unknown> {
    const [, kind, id] = asked.path.split('/');
    if (kind === 'account') return this.#account(asked, response);
    if (kind === 'new-order') return this.#newOrder(asked, response);
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) return this.#refuse(response, 404, 'malformed', `no such ${kind}`);
    if (kind === 'order') return this.#send(response, 200, this.#orderJson(order));
    if (kind === 'authz') return this.#send(response, 200, this.#authorizationJson(order));
    if (kind === 'chall') return this.#challenge(asked, order, response);
    if (kind === 'finalize') return this.#finalize(asked, order, response);
    await this.beforeDownload?.();
    response.setHeader('Content-Type', 'application/pem-certificate-chain');
    return response.end(order.chain);
  }

  #account({ key, thumbprint, payload }: Asked, response: ServerResponse): ServerResponse {
    if (payload?.termsOfServiceAgreed !== true)
      return this.#refuse(response, 403, 'userActionRequired', 'the terms must be agreed to');
    const isKnown = this.accounts.has(thumbprint);
    this.accounts.set(thumbprint, key);
    response.setHeader('Location', `${this.origin}/accounts/${thumbprint}`);
    return this.#send(response, isKnown ? 200 : 201, { status: 'valid' });
  }

  #newOrder({ payload }: Asked, response: ServerResponse): ServerResponse {
    const [identifier] = (payload?.identifiers ?? []) as { type: string; value: string }[];
    if (this.limited.has(identifier?.value ?? ''))
      return this.#refuse(response, 429, 'rateLimited', 'too many certificates');
    const order: StandInOrder = {
      id: randomBytes(8).toString('hex'),
      name: identifier?.value ?? '',
      token: randomBytes(24).toString('base64url'),
      status: 'pending',
      authorization: 'pending',
      error: undefined,
      chain: undefined,
    };
    this.orders.push(order);
    response.setHeader('Location', `${this.origin}/order/${order.id}`);
    return this.#send(response, 201, this.#orderJson(order));
  }

  #challenge({ path, thumbprint }: Asked, order: StandInOrder, response: ServerResponse): ServerResponse {
    const type = path.endsWith('/tls-alpn-01') ? 'tls-alpn-01' : 'http-01';
    const authorization = `${order.token}.${thumbprint}`;
    const isHere = !this.elsewhere.has(order.name);
    const target = { name: order.name, token: order.token, authorization };
    const validated =
      type === 'http-01'
        ? validateHttp({ ...target, port: isHere ? this.ports.http : 1 })
        : validateTls({ ...target, port: isHere ? this.ports.tls : 1 });
    void validated.then((problem) => {
      order.authorization = problem === null ? 'valid' : 'invalid';
      order.status = problem === null ? 'ready' : 'invalid';
      order.error = problem === null ? undefined : { type: problem.type, detail: problem.detail };
    });
    return this.#send(response, 200, {
      type,
      status: 'processing',
      url: `${this.origin}${path}`,
      token: order.token,
    });
  }

  #finalize({ payload }: Asked, order: StandInOrder, response: ServerResponse): ServerResponse {
    if (order.status !== 'ready')
      return this.#refuse(response, 403, 'orderNotReady', `order is ${order.status}`);
    const request = Buffer.from(String(payload?.csr), 'base64url');
    const validFromMs = this.#options.validFromMs?.() ?? Date.now();
    const validToMs = validFromMs + (this.#options.lifetimeMs ?? 90 * DAY_MS);
    const issued = this.authority.issue(request, order.name, { validFromMs, validToMs });
    if (issued === null) return this.#refuse(response, 400, 'badCSR', 'the request is for other names');
    order.status = 'processing';
    setImmediate(() => {
      order.chain = issued;
      order.status = 'valid';
    });
    return this.#send(response, 200, this.#orderJson(order));
  }

  #directory() {
    const at = (path: string) => `${this.origin}${path}`;
    return { newNonce: at('/nonce'), newAccount: at('/account'), newOrder: at('/new-order') };
  }

  #orderJson({ id, name, status, error }: StandInOrder) {
    return {
      status,
      identifiers: [{ type: 'dns', value: name }],
      authorizations: [`${this.origin}/authz/${id}`],
      finalize: `${this.origin}/finalize/${id}`,
      ...(status === 'valid' ? { certificate: `${this.origin}/cert/${id}` } : {}),
      ...(error === undefined ? {} : { error: { type: URN + error.type, detail: error.detail } }),
    };
  }

  #authorizationJson({ id, name, token, authorization, error }: StandInOrder) {
    const challenges = ['http-01', 'tls-alpn-01', 'dns-01'].map((type) => ({
      ...{ type, token, status: authorization, url: `${this.origin}/chall/${id}/${type}` },
      ...(error === undefined ? {} : { error: { type: URN + error.type, detail: error.detail } }),
    }));
    return { status: authorization, identifier: { type: 'dns', value: name }, challenges };
  }

  /** Verifies signature, URL and nonce (RFC 8555 section 6). */
  #verified(path: string, body: string): Asked | { readonly problem: string; readonly detail: string } {
    const { protected: head = '', payload = '', signature = '' } = JSON.parse(body) as Record<string, string>;
    const { alg, jwk, kid, nonce, url } = JSON.parse(Buffer.from(head, 'base64url').toString());
    if (alg !== 'ES256' || url !== `${this.origin}${path}`)
      return { problem: 'malformed', detail: 'wrong alg or url' };
    const key = jwk === undefined ? this.accounts.get(String(kid).split('/').at(-1) ?? '') : keyOf(jwk);
    if (key === undefined || (jwk === undefined) !== (path !== '/account'))
      return { problem: 'accountDoesNotExist', detail: 'unknown account' };
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) return { problem: 'malformed', detail: 'wrong signature' };
    if (!this.#nonces.delete(nonce) || Math.random() < (this.#options.refusedNonces ?? 0)) {
      this.refusedNonces += 1;
      return { problem: 'badNonce', detail: 'JWS has an invalid anti-replay nonce' };
    }
    const text = Buffer.from(payload, 'base64url').toString();
    return { path, payload: text === '' ? null : JSON.parse(text), key, thumbprint: thumbprintOf(key) };
  }

  #newNonce(): string {
    const nonce = randomBytes(16).toString('base64url');
    this.#nonces.add(nonce);
    return nonce;
  }

  #refuse(response: ServerResponse, status: number, type: string, detail: string): ServerResponse {
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/problem+json');
    return response.end(JSON.stringify({ type: URN + type, detail, status }));
  }

  #send(response: ServerResponse, status: number, body?: unknown): ServerResponse {
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    return response.end(body === undefined ? undefined : JSON.stringify(body));
  }
}

function keyOf(jwk: JsonWebKey): KeyObject {
  return createPublicKey({ key: jwk, format: 'jwk' });
}

function thumbprintOf(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
