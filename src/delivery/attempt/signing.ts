/**
 * Adds the DKIM-Signature of the sender's domain. Below it goes the signature of the installation's own domain, if there is one
 * and the mail is not from that domain.
 *
 * Owns the signatures in progress. The recipients of one email often get the same message at the same time, and then share one
 * RSA operation. Operations are shared by the bytes to sign, so a message for one recipient never gets the signature of
 * another. The thread pool is used in fair turns: the mail of one organization must not delay that of the others.
 */

import type { SigningKey } from '../../domains/signing-keys.ts';
import type { MailDomain } from '../../protocols/message/address.ts';
import type { ComposedMessage } from '../../protocols/message/compose.ts';
import { type DkimSigner, type RsaSign, signMessage, signOnPool } from '../../protocols/message/dkim.ts';
import { SingleFlight } from '../../runtime/single-flight.ts';
import { FairTurns, type TurnOwner } from '../../runtime/work-loop/fair-turns.ts';

export interface SigningKeys {
  /** The signing key of a domain of the organization; null where its mail is sent unsigned. */
  find(organizationId: string, domain: MailDomain, firstAttemptAtMs: number): Promise<SigningKey | null>;
}

interface OwnSigner {
  /** Null for mail whose first attempt was made before the key was in DNS. */
  find(firstAttemptAtMs: number): Promise<DkimSigner | null>;
}

/** `dateMs` is the time of the first attempt, so that every attempt has the same signature. */
export type Signer = (
  fromDomain: MailDomain,
  owner: TurnOwner,
  message: ComposedMessage,
  dateMs: number,
) => Promise<ComposedMessage>;

/** Enough to keep all threads busy while the event loop is, and few enough to finish within milliseconds. */
const AT_ONCE = 16;

export function createSigner(
  keys: SigningKeys,
  own: OwnSigner | null = null,
  rsaSign: RsaSign = signOnPool,
): Signer {
  const turns = new FairTurns(AT_ONCE);
  const shared = sharing();
  return async (fromDomain, owner, message, dateMs) => {
    const signers: DkimSigner[] = [];
    const found = await keys.find(owner.organizationId, fromDomain, dateMs);
    if (found !== null) signers.push({ domain: fromDomain, selector: found.selector, key: found.key });
    const second = own === null ? null : await own.find(dateMs);
    if (second !== null && second.domain !== fromDomain) signers.push(second);
    if (signers.length === 0) return message;
    const inTurn: RsaSign = (input, key) => turns.take(owner, () => rsaSign(input, key));
    return signMessage(message, signers, Math.floor(dateMs / 1000), (input, key) =>
      shared(input, key, inTurn),
    );
  };
}

function sharing(): (input: string, key: SigningKey['key'], rsaSign: RsaSign) => Promise<Buffer> {
  const inProgress = new WeakMap<SigningKey['key'], SingleFlight<string, Buffer>>();
  return (input, key, rsaSign) => {
    let ofKey = inProgress.get(key);
    if (ofKey === undefined) {
      ofKey = new SingleFlight();
      inProgress.set(key, ofKey);
    }
    return ofKey.run(input, () => rsaSign(input, key));
  };
}
