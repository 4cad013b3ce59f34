/**
 * Signing as a step of delivery: finds the key of the sender's domain and puts a DKIM-Signature on the message; below
 * it goes the signature of the installation's own domain, if it has one and the mail is not from it.
 *
 * It owns the signatures being made at this moment. The recipients of one email get the very same message, mostly at
 * the same time, so they share one RSA operation; what is shared is found by the bytes to sign, and a message made for
 * one recipient alone can never get the signature of another. Operations go to the thread pool in fair turns: it takes
 * them in the order in which they come, and a flood's would be ahead of everybody else's.
 */

import type { SigningKey } from '../../domains/signing-keys.ts';
import type { MailDomain } from '../../kit/message/address.ts';
import type { ComposedMessage } from '../../kit/message/compose.ts';
import { type DkimSigner, type RsaSign, signMessage, signOnPool } from '../../kit/message/dkim.ts';
import { FairTurns, type Party } from '../../kit/work-loop/fair-turns.ts';

export interface SigningKeys {
  /** The key to sign with for a domain of that organization; null when its mail goes out unsigned. */
  find(organizationId: string, domain: MailDomain, firstAttemptAtMs: number): Promise<SigningKey | null>;
}

export interface OwnSigner {
  /** Null for mail that had its first attempt while DNS did not have the key. */
  find(firstAttemptAtMs: number): Promise<DkimSigner | null>;
}

/** `dateMs` is the time of the first attempt: a signature must not depend on when a later one is made. */
export type Signer = (
  fromDomain: MailDomain,
  party: Party,
  message: ComposedMessage,
  dateMs: number,
) => Promise<ComposedMessage>;

/** Enough to keep all threads busy while the event loop is; few enough to be through in some milliseconds. */
const AT_ONCE = 16;

/** Where nobody has a key. */
export const unsigned: SigningKeys = { find: async () => null };

export function createSigner(
  keys: SigningKeys,
  own: OwnSigner | null = null,
  rsaSign: RsaSign = signOnPool,
): Signer {
  const turns = new FairTurns(AT_ONCE);
  const shared = sharing();
  return async (fromDomain, party, message, dateMs) => {
    const signers: DkimSigner[] = [];
    const found = await keys.find(party.organizationId, fromDomain, dateMs);
    if (found !== null) signers.push({ domain: fromDomain, selector: found.selector, key: found.key });
    const second = own === null ? null : await own.find(dateMs);
    if (second !== null && second.domain !== fromDomain) signers.push(second);
    if (signers.length === 0) return message;
    const inTurn: RsaSign = (input, key) => turns.take(party, () => rsaSign(input, key));
    return signMessage(message, signers, Math.floor(dateMs / 1000), (input, key) =>
      shared(input, key, inTurn),
    );
  };
}

function sharing(): (input: string, key: SigningKey['key'], rsaSign: RsaSign) => Promise<Buffer> {
  const inFlight = new Map<
    string,
    { readonly key: SigningKey['key']; readonly signature: Promise<Buffer> }
  >();
  return (input, key, rsaSign) => {
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
