/**
 * The addresses that exist: those on the installation's host, and return paths on customers' hosts that lead here (`bounces.`
 * below their domain). These hosts need not be known here: the signature identifies a return path. Pure.
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
 * Public addresses: the first two receive complaints, and RFC 5321 requires the third. Mail to the last counts only with a
 * signed token.
 */
const OPEN_MAILBOXES = ['fbl', 'abuse', 'postmaster', UNSUBSCRIBE_MAILBOX] as const;
export type OpenMailbox = (typeof OPEN_MAILBOXES)[number];

export type ServedMailbox =
  | { readonly kind: 'return_path'; readonly delivery: DeliveryRef }
  /** `organizationId`: the organization that the message turned out to concern, if it is stored in that one's cell. */
  | { readonly kind: 'open'; readonly name: OpenMailbox; readonly organizationId?: string }
  /** The report address of one domain; without a token the report itself must name the domain. */
  | { readonly kind: 'report'; readonly name: ReportMailbox; readonly domain: DomainRef | null };

/** The organization that mail to the mailbox belongs to; the installation if there is none. */
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
  /** Exists if this installation receives mail for that domain's `bounces.`, which the database knows. */
  | { readonly kind: 'delegated'; readonly name: OpenMailbox; readonly domain: string }
  | { readonly kind: 'expired' | 'unknown' | 'elsewhere' };

interface MailboxOptions {
  readonly host: string;
  readonly keys: DerivedKeys;
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

/** Every mail host has these (RFC 5321, 4.5.1; RFC 2142, 2 and 5). */
const EVERYWHERE = ['postmaster', 'abuse'] as const;
const DELEGATED = 'bounces.';
const ELSEWHERE: FoundMailbox = { kind: 'elsewhere' };
