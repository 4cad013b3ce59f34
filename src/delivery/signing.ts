/**
 * Signing as a step of delivery: finds the key of the sender's domain and puts a DKIM-Signature on the message.
 *
 * It owns the signatures being made at this moment. The recipients of one email get the very same message, mostly
 * at the same time, so they share one RSA operation; what is shared is found by the bytes to sign, and a message
 * made for one recipient alone can never get the signature of another.
 */
import type { KeyObject } from 'node:crypto';
import type { ComposedMessage } from '../message/compose.ts';
import { type RsaSign, signMessage, signOnPool } from '../message/dkim.ts';

export interface SigningKey {
  readonly selector: string;
  /** Kept by whoever finds it: the same object every time. */
  readonly key: KeyObject;
}

export interface SigningKeys {
  /** The key to sign with for a domain of that organization; null when its mail goes out unsigned. */
  find(organizationId: string, domain: string, firstAttemptAtMs: number): Promise<SigningKey | null>;
}

/** `dateMs` is the time of the first attempt: a signature must not depend on when a later one is made. */
export type Signer = (
  fromDomain: string,
  organizationId: string,
  message: ComposedMessage,
  dateMs: number,
) => Promise<ComposedMessage>;

/** Where nobody has a key. */
export const unsigned: SigningKeys = { find: async () => null };

export function createSigner(keys: SigningKeys, rsaSign: RsaSign = signOnPool): Signer {
  const shared = sharing(rsaSign);
  return async (fromDomain, organizationId, message, dateMs) => {
    const found = await keys.find(organizationId, fromDomain, dateMs);
    if (found === null) return message;
    const signer = { domain: fromDomain, selector: found.selector, key: found.key };
    return signMessage(message, signer, Math.floor(dateMs / 1000), shared);
  };
}

function sharing(rsaSign: RsaSign): RsaSign {
  const inFlight = new Map<string, { readonly key: KeyObject; readonly signature: Promise<Buffer> }>();
  return (input, key) => {
    const running = inFlight.get(input);
    if (running?.key === key) return running.signature;
    const entry = { key, signature: rsaSign(input, key) };
    inFlight.set(input, entry);
    const forget = () => {
      if (inFlight.get(input) === entry) inFlight.delete(input);
    };
    entry.signature.then(forget, forget);
    return entry.signature;
  };
}
