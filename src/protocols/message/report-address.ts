/**
 * The address for reports about one domain, `dmarc+<token>@host`: identifies the registered domain, because
 * two organizations may register the same name, and is signed so that only addresses issued here are valid.
 * It is public in DNS, so it does not identify the writer.
 *
 * The token has 49 characters of lower-case Crockford base32:
 *   13  organization id without its prefix
 *   20  domain id without its prefix
 *   16  the first 80 bits of HMAC-SHA256 over the characters before
 * It does not expire, because DNS records stay for years.
 */
import type { DerivedKeys } from '../../runtime/key-ring.ts';
import { isShortSignature, shortSignature } from './short-signature.ts';

export interface DomainRef {
  readonly organizationId: string;
  readonly domainId: string;
}

export const REPORT_MAILBOXES = ['dmarc', 'tlsrpt'] as const;
export type ReportMailbox = (typeof REPORT_MAILBOXES)[number];

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ORGANIZATION = new RegExp(`^org_([${ALPHABET}]{13})$`);
const DOMAIN = new RegExp(`^dom_([${ALPHABET}]{20})$`);
const TOKEN = new RegExp(`^([${ALPHABET}]{13})([${ALPHABET}]{20})([${ALPHABET}]{16})$`);
/** Separates these signatures from other uses of the key. */
const PURPOSE = 'report-address.1:';

/** Null for ids in another format, such as those of examples. */
export function reportAddress(
  mailbox: ReportMailbox,
  { organizationId, domainId }: DomainRef,
  key: Buffer,
  host: string,
): string | null {
  const organization = ORGANIZATION.exec(organizationId)?.[1];
  const domain = DOMAIN.exec(domainId)?.[1];
  if (organization === undefined || domain === undefined) return null;
  const signed = organization + domain;
  return `${mailbox}+${signed}${shortSignature(PURPOSE, signed, key)}@${host}`;
}

/** Decodes the local part after the plus sign, case-insensitively; null unless this key signed it. */
export function decodeReportToken(token: string, key: Buffer): DomainRef | null {
  const [, organization, domain, signature] = TOKEN.exec(token.toLowerCase()) ?? [];
  if (organization === undefined || domain === undefined || signature === undefined) return null;
  if (!isShortSignature(signature, PURPOSE, organization + domain, key)) return null;
  return { organizationId: `org_${organization}`, domainId: `dom_${domain}` };
}

/** The addresses of a domain, signed with the key of its creation time so that they survive key rotations. */
export class ReportAddresses {
  readonly #keys: DerivedKeys;
  readonly #host: string;

  constructor(keys: DerivedKeys, host: string) {
    this.#keys = keys;
    this.#host = host;
  }

  of(
    mailbox: ReportMailbox,
    domain: { organization_id: string; id: string; created_at: Date },
  ): string | null {
    const ref = { organizationId: domain.organization_id, domainId: domain.id };
    return reportAddress(mailbox, ref, this.#keys.at(domain.created_at.getTime()), this.#host);
  }
}
