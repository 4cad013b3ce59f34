/**
 * Remembers the latest TLS session of each server, so that the next connection needs one round trip less.
 *
 * Owns: a map of at most MAX_SESSIONS sessions, oldest dropped first, and the one shared TLS context.
 */
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import type { SmtpTarget } from './facts.ts';

const MAX_SESSIONS = 2000;

export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();
  readonly #context: SecureContext;

  /** `trustedCertificates` (PEM) replaces the built-in list of authorities where certificates are verified. */
  constructor(trustedCertificates?: string) {
    this.#context = createSecureContext(trustedCertificates === undefined ? {} : { ca: trustedCertificates });
  }

  optionsFor(target: SmtpTarget): ConnectionOptions {
    const session = this.#sessions.get(keyOf(target));
    return {
      secureContext: this.#context,
      host: target.host,
      rejectUnauthorized: target.verifyCertificate === true,
      ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
      ...(session === undefined ? {} : { session }),
    };
  }

  remember(target: SmtpTarget, session: Buffer): void {
    const key = keyOf(target);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size <= MAX_SESSIONS) return;
    for (const oldest of this.#sessions.keys()) {
      this.#sessions.delete(oldest);
      return;
    }
  }

  /** A session that the server choked on must not be offered again. */
  forget(target: SmtpTarget): void {
    this.#sessions.delete(keyOf(target));
  }
}

/** A session made without checking the certificate must never serve a connection that wants it checked. */
function keyOf(target: SmtpTarget): string {
  return `${target.host}|${target.port}|${target.verifyCertificate === true}`;
}
