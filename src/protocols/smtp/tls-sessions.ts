/**
 * Caches the latest TLS session of each server, which saves a round trip on the next connection.
 *
 * Owns maps of at most MAX_SESSIONS sessions and certificates, oldest dropped first, and the shared TLS
 * context.
 */
import { isIP } from 'node:net';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { CertificateFacts, SmtpTarget } from './facts.ts';

const MAX_SESSIONS = 2000;

export class TlsSessions {
  readonly #sessions = new BoundedMap<string, Buffer>(MAX_SESSIONS);
  /** From the latest full handshake: a resumed one does not check the name again. */
  readonly #certificates = new BoundedMap<string, CertificateFacts>(MAX_SESSIONS);
  readonly #context: SecureContext;

  /** `trustedCertificates` (PEM) replaces the built-in authorities for verification. */
  constructor(trustedCertificates?: string) {
    this.#context = createSecureContext(trustedCertificates === undefined ? {} : { ca: trustedCertificates });
  }

  optionsFor(target: SmtpTarget): ConnectionOptions {
    const session = target.dane === undefined ? this.#sessions.get(keyOf(target)) : undefined;
    const host = target.dane?.serverName ?? target.host;
    return {
      secureContext: this.#context,
      host,
      rejectUnauthorized: target.verifyCertificate === true,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(session === undefined ? {} : { session }),
    };
  }

  /** Not with DANE: its records may change, and only a full handshake shows a certificate. */
  remember(target: SmtpTarget, session: Buffer): void {
    if (target.dane !== undefined) return;
    this.#sessions.set(keyOf(target), session);
  }

  saw(target: SmtpTarget, certificate: CertificateFacts): void {
    this.#certificates.set(keyOf(target), certificate);
  }

  certificateFor(target: SmtpTarget): CertificateFacts | undefined {
    return this.#certificates.get(keyOf(target));
  }

  /** Removes a session that the server failed to resume. */
  forget(target: SmtpTarget): void {
    this.#sessions.delete(keyOf(target));
  }
}

/** A session made without a certificate check must never serve a connection that requires one. */
function keyOf(target: SmtpTarget): string {
  return `${target.host}|${target.port}|${target.verifyCertificate === true}`;
}
