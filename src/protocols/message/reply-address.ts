/**
 * The reply address of one email, `r+<token>@host`: identifies the email, and is signed so that it cannot be
 * forged. Every recipient of the email knows it, so it does not identify the writer.
 *
 * The token has 61 characters, which makes a local part of 63 octets (64 are allowed):
 *   13  organization id without its prefix
 *   32  email id, in hexadecimal
 *   16  the signature of the characters before
 * It does not expire, because people answer old mail.
 */
import { isUuid } from '../../runtime/ids.ts';
import type { DerivedKeys } from '../../runtime/key-ring.ts';
import { withAnyKey } from '../../runtime/key-ring.ts';
import { isShortSignature, shortSignature } from './short-signature.ts';

export interface AnsweredEmail {
  readonly organizationId: string;
  readonly emailId: string;
}

const ORGANIZATION = /^org_([0-9a-hjkmnp-tv-z]{13})$/;
const LOCAL = /^r\+([0-9a-hjkmnp-tv-z]{13})([0-9a-f]{32})([0-9a-hjkmnp-tv-z]{16})$/;
const PURPOSE = 'reply-address.1:';

/** The part before the @. */
export function replyLocal({ organizationId, emailId }: AnsweredEmail, key: Buffer): string {
  const organization = ORGANIZATION.exec(organizationId)?.[1];
  if (organization === undefined) throw new Error(`Not an organization id: ${organizationId}`);
  const signed = organization + emailId.replaceAll('-', '');
  return `r+${signed}${shortSignature(PURPOSE, signed, key)}`;
}

/** Decodes a local part, case-insensitively; null unless we signed it. */
export function decodeReplyLocal(local: string, keys: DerivedKeys): AnsweredEmail | null {
  const [, organization, hex, signature] = LOCAL.exec(local.toLowerCase()) ?? [];
  if (organization === undefined || hex === undefined || signature === undefined) return null;
  const emailId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(emailId)) return null;
  const isOurs = withAnyKey(keys, (key) =>
    isShortSignature(signature, PURPOSE, organization + hex, key) ? true : null,
  );
  return isOurs === null ? null : { organizationId: `org_${organization}`, emailId };
}
