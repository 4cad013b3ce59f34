/**
 * Remembers the latest TLS session of each server, so that the next connection needs one round trip less.
 *
 * Owns: maps of at most MAX_SESSIONS sessions and certificates, oldest dropped first, and the one shared TLS context.
 */
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import type { CertificateFacts, SmtpTarget } from './facts.ts';

const MAX_SESSIONS = 2000;

export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();
  /** Of the latest whole handshake: a resumed one does not look at the name again. */
  readonly #certificates = new Map<string, CertificateFacts>();
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

  saw(target: SmtpTarget, certificate: CertificateFacts): void {
    const key = keyOf(target);
    this.#certificates.delete(key);
    this.#certificates.set(key, certificate);
    if (this.#certificates.size <= MAX_SESSIONS) return;
    const oldest = this.#certificates.keys().next().value;
    if (oldest !== undefined) this.#certificates.delete(oldest);
  }

  certificateFor(target: SmtpTarget): CertificateFacts | undefined {
    return this.#certificates.get(keyOf(target));
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
