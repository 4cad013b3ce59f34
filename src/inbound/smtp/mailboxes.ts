/**
 * Which addresses there are: on our host, and return paths on hosts of customers that lead to us (`bounces.` below their
 * domain). Those need not be known here: what makes a return path ours is that we signed it. Pure.
 */

import { INSTALLATION } from '../../organizations/installation.ts';
import { halvesOf } from '../../protocols/message/address.ts';
import {
  type DomainRef,
  decodeReportToken,
  REPORT_MAILBOXES,
  type ReportMailbox,
} from '../../protocols/message/report-address.ts';
import { type DeliveryRef, decodeReturnPath } from '../../protocols/message/return-path.ts';
import { UNSUBSCRIBE_MAILBOX } from '../../protocols/message/tracking-links.ts';
import { type DerivedKeys, withAnyKey } from '../../runtime/key-ring.ts';

/**
 * Everybody knows these: complaints come to the first two, and RFC 5321 demands the third. What is written to the last counts
 * only with a token that we signed.
 */
export const OPEN_MAILBOXES = ['fbl', 'abuse', 'postmaster', UNSUBSCRIBE_MAILBOX] as const;
export type OpenMailbox = (typeof OPEN_MAILBOXES)[number];

export type ServedMailbox =
  | { readonly kind: 'return_path'; readonly delivery: DeliveryRef }
  /** `organizationId`: whose the message turned out to be, where it is stored in that one's cell. */
  | { readonly kind: 'open'; readonly name: OpenMailbox; readonly organizationId?: string }
  /** Where receivers report about one domain; without a token the report itself has to say about which. */
  | { readonly kind: 'report'; readonly name: ReportMailbox; readonly domain: DomainRef | null };

/** Whose what comes there is; the installation's, where nobody else is named. */
export function ownerOf(mailbox: ServedMailbox): string {
  switch (mailbox.kind) {
    case 'return_path':
      return mailbox.delivery.organizationId;
    case 'open':
      return mailbox.organizationId ?? INSTALLATION;
    case 'report':
      return mailbox.domain?.organizationId ?? INSTALLATION;
  }
}

export type FoundMailbox =
  | ServedMailbox
  /** There if we receive for that domain's `bounces.`, which the database knows. */
  | { readonly kind: 'delegated'; readonly name: OpenMailbox; readonly domain: string }
  | { readonly kind: 'expired' | 'unknown' | 'elsewhere' };

export interface MailboxOptions {
  readonly host: string;
  readonly keys: DerivedKeys;
  /** That addresses for reports are signed with. */
  readonly reportKeys: DerivedKeys;
  readonly nowMs: () => number;
}

export type FindMailbox = (address: string) => FoundMailbox;

export function createMailboxes({ host, keys, reportKeys, nowMs }: MailboxOptions): FindMailbox {
  const ourHost = host.toLowerCase();
  const returnPath = (address: string, onHost: string): FoundMailbox => {
    const found = withAnyKey(keys, (key) => decodeReturnPath(address, key, onHost));
    if (found === null) return { kind: onHost === ourHost ? 'unknown' : 'elsewhere' };
    const { validUntilMs, ...delivery } = found;
    return validUntilMs > nowMs() ? { kind: 'return_path', delivery } : { kind: 'expired' };
  };
  return (address) => {
    const { local: name, domain: onHost } = halvesOf(address.toLowerCase());
    // RFC 5321, 4.5.1: postmaster is the one address that needs no domain.
    if (!address.includes('@')) {
      return onHost === 'postmaster' ? { kind: 'open', name: 'postmaster' } : { kind: 'unknown' };
    }
    if (onHost !== ourHost && !onHost.startsWith(DELEGATED)) return ELSEWHERE;
    if (onHost !== ourHost) {
      const everywhere = EVERYWHERE.find((one) => one === name);
      if (everywhere === undefined) return returnPath(address, onHost);
      return { kind: 'delegated', name: everywhere, domain: onHost.slice(DELEGATED.length) };
    }
    const open = OPEN_MAILBOXES.find((one) => one === name);
    if (open !== undefined) return { kind: 'open', name: open };
    return reportMailbox(name, reportKeys) ?? returnPath(address, onHost);
  };
}

function reportMailbox(local: string, keys: DerivedKeys): FoundMailbox | null {
  const plain = REPORT_MAILBOXES.find((one) => one === local);
  if (plain !== undefined) return { kind: 'report', name: plain, domain: null };
  const name = REPORT_MAILBOXES.find((one) => local.startsWith(`${one}+`));
  if (name === undefined) return null;
  const domain = withAnyKey(keys, (key) => decodeReportToken(local.slice(name.length + 1), key));
  return domain === null ? { kind: 'unknown' } : { kind: 'report', name, domain };
}

/** Every host that takes mail has these (RFC 5321, 4.5.1; RFC 2142, 2 and 5). */
const EVERYWHERE = ['postmaster', 'abuse'] as const;
const DELEGATED = 'bounces.';
const ELSEWHERE: FoundMailbox = { kind: 'elsewhere' };
