/**
 * Authenticates users: reads the session token from the cookie, and checks that a changing request comes from
 * our own pages. Tokens are looked up through a cache like that of API keys.
 *
 * A browser sends the cookie with requests from any page, as far as SameSite allows. But the browser itself
 * writes where a request comes from: `Sec-Fetch-Site`, and `Origin` on plain http.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../runtime/tokens.ts';
import { isRead } from './access.ts';
import { ApiError } from './errors.ts';
import type { KeyCache } from './key-cache.ts';
import type { Principal } from './principal.ts';

const NAME = 'postrider_session';
/** Marks a browser in which a user has signed in before. This module does not interpret its value. */
const DEVICE_NAME = 'postrider_device';
/** Sent by the dashboard. */
const ORGANIZATION_HEADER = 'Postrider-Organization';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Longer than any session: the server ends sessions, not the browser. */
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
    // With this prefix, browsers refuse a cookie of this name from a neighbouring host.
    this.#name = secure ? `__Host-${NAME}` : NAME;
    this.#deviceName = secure ? `__Host-${DEVICE_NAME}` : DEVICE_NAME;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  principalOf(request: FastifyRequest): Principal | null | Promise<Principal | null> {
    const { cookie } = request.headers;
    if (cookie === undefined) return null;
    const token = this.#tokenIn(cookie);
    if (token === null) return null;
    const hash = hashToken(token);
    const found = this.#cache.lookUp(hash, request.ip);
    if (found === null || found instanceof Promise || isOfItsOrganization(request, found)) return found;
    // Another process may have switched the session a moment ago.
    this.#cache.forget(hash);
    return this.#cache.lookUp(hash, request.ip);
  }

  give(reply: FastifyReply, token: string): void {
    reply.header('Set-Cookie', `${this.#name}=${token}; Max-Age=${MAX_AGE_SECONDS}; ${this.#attributes}`);
  }

  deviceOf({ headers }: FastifyRequest): string | undefined {
    return valueIn(headers.cookie ?? '', this.#deviceName);
  }

  /** Sets the device cookie, which outlives the session. */
  giveDevice(reply: FastifyReply, device: string): void {
    reply.header(
      'Set-Cookie',
      `${this.#deviceName}=${device}; Max-Age=${MAX_AGE_SECONDS}; ${this.#attributes}`,
    );
  }

  /** The browser also removes what it has stored of responses. Only https and localhost have this. */
  takeBack(reply: FastifyReply): void {
    reply.header('Clear-Site-Data', '"cache"');
    reply.header('Set-Cookie', `${this.#name}=; Max-Age=0; ${this.#attributes}`);
  }

  /** Makes ended or changed sessions take effect at once in this process. */
  forgetAll(): void {
    this.#cache.forgetAll();
  }

  /**
   * A page names the organization it shows: the session may have been switched in another tab, and what is clicked in
   * this one must not happen there.
   */
  assertSameOrganization(request: FastifyRequest, principal: Principal): void {
    if (isOfItsOrganization(request, principal)) return;
    throw new ApiError(
      'CONFLICT',
      [{ field: ORGANIZATION_HEADER, message: 'is not the organization of this session' }],
      'You switched to another organization in another tab. Nothing was changed.',
    );
  }

  assertSameOrigin(request: FastifyRequest): void {
    if (isRead(request.method) || this.#placeOf(request) === 'ours') return;
    throw new ApiError(
      'FORBIDDEN',
      [],
      'With a session, changes are accepted only from pages of this installation. Use an API key instead.',
    );
  }

  /** For routes without a session: programs may call them, pages of other sites may not. */
  assertNotForeign(request: FastifyRequest): void {
    if (this.#placeOf(request) !== 'foreign') return;
    throw new ApiError(
      'FORBIDDEN',
      [],
      'This request is not accepted from pages of other sites. Send it from a page of this installation.',
    );
  }

  #placeOf({ headers }: FastifyRequest): 'ours' | 'foreign' | 'unknown' {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin' ? 'ours' : 'foreign';
    const { origin, host } = headers;
    if (origin === undefined) return 'unknown';
    // Users may open the server under another name than its public one. A page cannot choose the Host header,
    // and the cookie belongs to that host.
    const known = origin === this.#origin || (URL.canParse(origin) && new URL(origin).host === host);
    return known ? 'ours' : 'foreign';
  }

  #tokenIn(cookies: string): string | null {
    const value = valueIn(cookies, this.#name);
    return value !== undefined && TOKEN.test(value) ? value : null;
  }
}

function isOfItsOrganization({ headers }: FastifyRequest, { organizationId }: Principal): boolean {
  const named = headers[ORGANIZATION_HEADER.toLowerCase()];
  return named === undefined || named === organizationId;
}

/** The first cookie of that name. */
function valueIn(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
