/**
 * How users are authenticated: the cookie that holds a session's token, and the check that a request which changes
 * something comes from our own pages. Who a token belongs to is asked through a cache like that of API keys.
 *
 * A browser sends the cookie with whatever request any page makes to us, as far as SameSite lets it. Where a request
 * comes from, though, is written by the browser: `Sec-Fetch-Site`, and `Origin` on plain http.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../runtime/tokens.ts';
import { isRead } from './access.ts';
import { ApiError } from './errors.ts';
import type { KeyCache } from './key-cache.ts';
import type { Principal } from './principal.ts';

const NAME = 'postrider_session';
/** Says that somebody has signed in with this browser before; what it holds is not for this module. */
const DEVICE_NAME = 'postrider_device';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Longer than any session lasts: when it ends is decided here, not by the browser. */
const MAX_AGE_SECONDS = 400 * 86_400;

export class SessionGate {
  readonly #cache: KeyCache;
  readonly #origin: string;
  readonly #name: string;
  readonly #deviceName: string;
  readonly #attributes: string;

  constructor(cache: KeyCache, publicUrl: string) {
    this.#cache = cache;
    this.#origin = new URL(publicUrl).origin;
    const secure = this.#origin.startsWith('https:');
    // The prefix makes browsers refuse a cookie of this name that a neighbouring host wants to set.
    this.#name = secure ? `__Host-${NAME}` : NAME;
    this.#deviceName = secure ? `__Host-${DEVICE_NAME}` : DEVICE_NAME;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  principalOf(request: FastifyRequest): Principal | null | Promise<Principal | null> {
    const { cookie } = request.headers;
    if (cookie === undefined) return null;
    const token = this.#tokenIn(cookie);
    return token === null ? null : this.#cache.lookUp(hashToken(token), request.ip);
  }

  give(reply: FastifyReply, token: string): void {
    reply.header('Set-Cookie', `${this.#name}=${token}; Max-Age=${MAX_AGE_SECONDS}; ${this.#attributes}`);
  }

  deviceOf({ headers }: FastifyRequest): string | undefined {
    return valueIn(headers.cookie ?? '', this.#deviceName);
  }

  /** It outlives the session. */
  giveDevice(reply: FastifyReply, device: string): void {
    reply.header(
      'Set-Cookie',
      `${this.#deviceName}=${device}; Max-Age=${MAX_AGE_SECONDS}; ${this.#attributes}`,
    );
  }

  takeBack(reply: FastifyReply): void {
    reply.header('Set-Cookie', `${this.#name}=; Max-Age=0; ${this.#attributes}`);
  }

  /** After sessions ended or changed through this process, so that it holds here at once. */
  forgetAll(): void {
    this.#cache.forgetAll();
  }

  assertSameOrigin(request: FastifyRequest): void {
    if (isRead(request.method) || this.#placeOf(request) === 'ours') return;
    throw new ApiError('FORBIDDEN', [], 'With a session, changes are accepted only from our own pages.');
  }

  /** For routes that need no session: programs may call them, other people's pages may not. */
  assertNotForeign(request: FastifyRequest): void {
    if (this.#placeOf(request) !== 'foreign') return;
    throw new ApiError('FORBIDDEN', [], 'This is not accepted from pages of other sites.');
  }

  #placeOf({ headers }: FastifyRequest): 'ours' | 'foreign' | 'unknown' {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin' ? 'ours' : 'foreign';
    const { origin, host } = headers;
    if (origin === undefined) return 'unknown';
    // People also open the server by another name than its public one. A page cannot choose the Host it sends, and
    // the cookie belongs to that host.
    const known = origin === this.#origin || (URL.canParse(origin) && new URL(origin).host === host);
    return known ? 'ours' : 'foreign';
  }

  #tokenIn(cookies: string): string | null {
    const value = valueIn(cookies, this.#name);
    return value !== undefined && TOKEN.test(value) ? value : null;
  }
}

/** The first of that name. */
function valueIn(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
