/**
 * Postmark's bounce types, and its number for a server. Applications remove an address after a hard bounce, so only a problem
 * with the address itself is reported as one.
 */
import { createHash } from 'node:crypto';
import type { Tag } from '../../../emails/email.ts';
import type { EventRow } from '../../../events/read.ts';
import { valuesOfTag } from './mail-facts.ts';

export const POSTMARK_BOUNCES = {
  HardBounce: { TypeCode: 1, Name: 'Hard bounce' },
  SoftBounce: { TypeCode: 4096, Name: 'Soft bounce' },
  DnsError: { TypeCode: 256, Name: 'DNS error' },
  SpamNotification: { TypeCode: 512, Name: 'Spam notification' },
  SpamComplaint: { TypeCode: 100001, Name: 'Spam complaint' },
  Blocked: { TypeCode: 100006, Name: 'ISP block' },
  DMARCPolicy: { TypeCode: 100009, Name: 'DMARC policy' },
  TemplateRenderingFailed: { TypeCode: 100010, Name: 'Template rendering failed' },
} as const;

type PostmarkBounceType = keyof typeof POSTMARK_BOUNCES;

const OF_REASON: Readonly<Record<string, PostmarkBounceType>> = {
  blocked: 'Blocked',
  sender_refused: 'Blocked',
  reverse_dns_missing: 'Blocked',
  hostname_refused: 'Blocked',
  host_refused_service: 'Blocked',
  authentication_failed: 'DMARCPolicy',
  content_refused: 'SpamNotification',
  dns_unavailable: 'DnsError',
  rendering_failed: 'TemplateRenderingFailed',
};

/** `isDead`: the reason proves that the address is undeliverable. */
export function postmarkBounce({ type, reason }: Pick<EventRow, 'type' | 'reason'>, isDead: boolean) {
  const Type = typeOf(type, reason, isDead);
  return { Type, ...POSTMARK_BOUNCES[Type] };
}

function typeOf(type: EventRow['type'], reason: string | null, isDead: boolean): PostmarkBounceType {
  if (type === 'complained') return 'SpamComplaint';
  return isDead ? 'HardBounce' : (OF_REASON[reason ?? ''] ?? 'SoftBounce');
}

/**
 * Code acts on `Inactive`: no more mail is sent to the address. Simulator addresses are never inactive. Postmark does not
 * reactivate an address after a complaint.
 */
export function postmarkActivity({ type }: Pick<EventRow, 'type'>, isSuppressed: boolean) {
  return { Inactive: isSuppressed, CanActivate: isSuppressed && type !== 'complained' };
}

/** `meaning`: the meaning of the reason, in a sentence. */
export function postmarkDescription({ type }: Pick<EventRow, 'type'>, meaning: string): string {
  return type === 'complained' ? 'The recipient reported the message as spam.' : meaning;
}

export function postmarkTag(tags: readonly Tag[]): string {
  return valuesOfTag(tags, 'tag')[0] ?? '';
}

/** Constant for an organization. It is only displayed; nothing is looked up by it. */
export function postmarkServerId(organizationId: string): number {
  return createHash('sha256').update(organizationId).digest().readUInt32BE(0) >>> 1;
}
