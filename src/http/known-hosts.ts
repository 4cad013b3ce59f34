/**
 * The host names under which users reach this installation. A page of another site can point its own name at
 * our address (DNS rebinding), and the browser then treats its scripts as ours; but the page cannot change
 * the name in `Host`. So routes without a key, or with a session cookie, answer only under known names.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../runtime/config.ts';
import { hostNameOf, isAddress, isEveryAddress, isLoopback } from '../runtime/host-name.ts';
import { ApiError } from './errors.ts';
import { createProxyTrust, type Trusts } from './proxy-trust.ts';

type Named = Pick<Config, 'host' | 'publicUrl' | 'allowedHosts' | 'trustProxy'>;

const MAX_SHOWN = 100;

export class KnownHosts {
  readonly #names: ReadonlySet<string>;
  /** `*.example.org`, stored as `.example.org`. */
  readonly #endings: readonly string[];
  /**
   * True when the server listens on every address, because these cannot all be listed. IP addresses cannot be
   * rebound, as no DNS is involved.
   */
  readonly #anyAddress: boolean;
  readonly #trusts: Trusts;
  readonly #publicUrl: string;

  constructor({ host, publicUrl, allowedHosts, trustProxy }: Named) {
    const names = [host, new URL(publicUrl).host, ...allowedHosts.filter((one) => !one.startsWith('*'))];
    this.#names = new Set(names.map((one) => hostNameOf(one) ?? one));
    this.#endings = allowedHosts.filter((one) => one.startsWith('*')).map((one) => one.slice(1));
    this.#anyAddress = isEveryAddress(host);
    this.#trusts = createProxyTrust(trustProxy);
    this.#publicUrl = publicUrl;
  }

  /**
   * Checks `X-Forwarded-Host` in addition to `Host`, never instead: pages can send it through careless
   * proxies.
   */
  assertKnown({ headers, socket }: FastifyRequest): void {
    this.#assertOne(headers.host ?? '');
    const forwarded = headers['x-forwarded-host'];
    if (forwarded === undefined || !this.#trusts(socket.remoteAddress ?? '', 0)) return;
    for (const one of String(forwarded).split(',')) this.#assertOne(one.trim());
  }

  #assertOne(given: string): void {
    const name = hostNameOf(given);
    if (name !== null && this.has(name)) return;
    const message =
      `"${given.slice(0, MAX_SHOWN)}" is not a name of this installation. Use ${this.#publicUrl}, ` +
      'or add the name to POSTRIDER_ALLOWED_HOSTS.';
    throw new ApiError('HOST_NOT_ALLOWED', [], message);
  }

  has(name: string): boolean {
    if (isLoopback(name) || this.#names.has(name)) return true;
    if (isAddress(name)) return this.#anyAddress;
    return this.#endings.some((ending) => name.endsWith(ending));
  }
}

/**
 * Requires exactly one Host header (RFC 9112, section 3.2). Of two, a proxy in front may have read the other
 * one, so neither is accepted. This check replaces Node's own, which answers without our envelope.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const problem = hostProblem(request);
    done(problem === undefined ? undefined : refusal(problem, reply));
  });
}

function hostProblem({ raw }: FastifyRequest): string | undefined {
  let count = 0;
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    const name = raw.rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return 'The request has more than one Host header. Send exactly one.';
  return count === 0 && raw.httpVersion === '1.1'
    ? 'The request has no Host header. Send exactly one.'
    : undefined;
}

function refusal(problem: string, reply: FastifyReply): ApiError {
  // The sender may also disagree with us on where the next request begins.
  reply.header('Connection', 'close');
  return new ApiError('VALIDATION_ERROR', [], problem);
}
