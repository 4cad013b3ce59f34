/**
 * Postmark's words for why mail came back, and its number for a server. A hard bounce is what applications strike an
 * address off for, so it is one only where the address itself is the reason.
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

/** `isDead`: the reason proves that nobody can be reached at the address. */
export function postmarkBounce({ type, reason }: Pick<EventRow, 'type' | 'reason'>, isDead: boolean) {
  const Type = typeOf(type, reason, isDead);
  return { Type, ...POSTMARK_BOUNCES[Type] };
}

function typeOf(type: EventRow['type'], reason: string | null, isDead: boolean): PostmarkBounceType {
  if (type === 'complained') return 'SpamComplaint';
  return isDead ? 'HardBounce' : (OF_REASON[reason ?? ''] ?? 'SoftBounce');
}

/**
 * `Inactive` is what code acts on: nothing more is sent to the address. Addresses of the simulator never are. Postmark does not activate
 * whoever complained.
 */
export function postmarkActivity({ type }: Pick<EventRow, 'type'>, isSuppressed: boolean) {
  return { Inactive: isSuppressed, CanActivate: isSuppressed && type !== 'complained' };
}

/** `meaning`: of the reason, in a sentence. */
export function postmarkDescription({ type }: Pick<EventRow, 'type'>, meaning: string): string {
  return type === 'complained' ? 'The recipient reported the message as spam.' : meaning;
}

export function postmarkTag(tags: readonly Tag[]): string {
  return valuesOfTag(tags, 'tag')[0] ?? '';
}

/** Always the same for an organization. It is shown, and nothing is looked up by it. */
export function postmarkServerId(organizationId: string): number {
  return createHash('sha256').update(organizationId).digest().readUInt32BE(0) >>> 1;
}
