/**
 * The names by which people may reach this installation. A page of another site can point its own name at our address
 * (DNS rebinding), and its scripts then count as ours to the browser; the one thing they cannot change is the name
 * that the browser writes into `Host`. So what needs no key, or goes by a cookie, is only answered under known names.
 */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../runtime/config.ts';
import { hostNameOf, isAddress, isEveryAddress, isLoopback } from '../runtime/host-name.ts';
import { ApiError } from './errors.ts';
import { createProxyTrust, type Trusts } from './proxy-trust.ts';

type Named = Pick<Config, 'host' | 'publicUrl' | 'allowedHosts' | 'trustProxy'>;

const MAX_SHOWN = 100;

export class KnownHosts {
  readonly #names: ReadonlySet<string>;
  /** `*.example.org` as `.example.org`. */
  readonly #endings: readonly string[];
  /** Who listens on every address cannot name them all; and no DNS leads to an address, so none can be rebound. */
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

  /** A proxy's `X-Forwarded-Host` counts beside `Host`, never instead: pages can send it through careless proxies. */
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
      `"${given.slice(0, MAX_SHOWN)}" is not a name of this installation. Open it at ${this.#publicUrl}, ` +
      'or add the name to POSTRIDER_ALLOWED_HOSTS.';
    throw new ApiError('HOST_NOT_ALLOWED', [], message);
  }

  has(name: string): boolean {
    if (isLoopback(name) || this.#names.has(name)) return true;
    if (isAddress(name)) return this.#anyAddress;
    return this.#endings.some((ending) => name.endsWith(ending));
  }
}
