/**
 * The content of a test event: a sample email or a sample domain. A generic test uses `delivered` in other services' formats,
 * because they have no test event.
 */
import { TRANSACTIONAL } from '../../emails/stream.ts';
import { EVENT_TYPES, type EventType } from '../../events/append.ts';
import type { DomainEventData } from '../../events/domain-events.ts';
import type { SuppressionEventData } from '../../events/suppression-events.ts';
import { messageId } from '../../protocols/message/compose.ts';
import { HOUR_MS } from '../../runtime/durations.ts';
import type { StoredType } from '../endpoints/store.ts';
import type { WebhookClaim } from '../queue.ts';
import type { MailFacts } from './formats/mail-facts.ts';

const NO_EMAIL = '00000000-0000-0000-0000-000000000000';
const SENDER = 'test@example.org';
const DOMAIN = 'example.org';
const REASON_OF: Readonly<Partial<Record<EventType, string>>> = {
  bounced: 'unknown_recipient',
  deferred: 'greylisted',
  failed: 'lifetime_exceeded',
  rejected: 'suppressed',
  complained: 'abuse',
};
const NEXT_ATTEMPT_MS = 60_000;
const HOLD = {
  id: 'hold_00000000000000000000',
  reason: 'A test of this webhook. No mail is held.',
  placed_by: 'guard',
};

/** Null if the test is not of an email event type. */
export function testedType(eventType: string): EventType | null {
  return EVENT_TYPES.find((type) => type === eventType) ?? null;
}

export function testFacts({ organizationId, eventId, eventType, createdAt }: WebhookClaim): MailFacts {
  const type = testedType(eventType) ?? 'delivered';
  const reason = REASON_OF[type] ?? null;
  const reply = replyTo(type);
  return {
    organizationId,
    event: {
      id: eventId,
      type,
      position: 0,
      recipient: 'recipient@example.org',
      mx_host: reply === null ? null : 'mx.example.org',
      smtp_code: reply?.code ?? null,
      smtp_message: reply?.message ?? null,
      enhanced_code: reply?.message.split(' ', 1)[0] ?? null,
      reason,
      attempt: reply !== null || type === 'processing' ? 1 : null,
      tls: null,
      tls_certificate: null,
      next_attempt_at: type === 'deferred' ? new Date(createdAt.getTime() + NEXT_ATTEMPT_MS) : null,
      user_agent: type === 'opened' || type === 'clicked' ? 'Mozilla/5.0 (test)' : null,
      url: type === 'clicked' ? 'https://example.org/' : null,
      hold: type === 'held' ? { ...HOLD, placed_at: createdAt.toISOString() } : null,
      created_at: createdAt,
    },
    email: {
      id: NO_EMAIL,
      batchId: null,
      from: { email: SENDER, name: null },
      subject: 'A test of this webhook',
      createdAt,
      // Some formats report queued mail only if it is scheduled.
      isScheduled: type === 'queued',
      ...{ tags: [], stream: TRANSACTIONAL, metadata: {}, unsubscribeGroup: null },
      templateId: null,
      origin: {},
    },
    messageId: messageId({ id: NO_EMAIL, messageIdDomain: DOMAIN }),
    reply: reply === null ? '' : `${reply.code} ${reply.message}`,
    meaning: reason ?? '',
    ...{ isDead: type === 'bounced', isSuppressed: type === 'bounced' || type === 'complained' },
    isFirstOpen: type === 'opened',
  };
}

/** The server's reply, for event types that have one. */
function replyTo(type: EventType): { readonly code: number; readonly message: string } | null {
  switch (type) {
    case 'delivered':
      return { code: 250, message: '2.0.0 Ok' };
    case 'bounced':
      return {
        code: 550,
        message: '5.1.1 <recipient@example.org>: Recipient address rejected: User unknown',
      };
    case 'deferred':
      return { code: 451, message: '4.7.1 <recipient@example.org>: Greylisted, please try again later' };
    default:
      return null;
  }
}

export type AccountEventType = Exclude<StoredType, EventType>;

export function testAccountEvent(type: AccountEventType, at: Date): object {
  if (type === 'suppression.added' || type === 'suppression.removed') return SUPPRESSION;
  if (type === 'canary.stepped') return CANARY_STEP_DATA;
  if (type === 'attention.raised' || type === 'attention.cleared') {
    const common = { kind: 'webhook_test', severity: 'warning', subject: '' };
    return type === 'attention.raised'
      ? { ...common, name: null, message: 'A test of this webhook. Nothing needs attention.' }
      : { ...common, raised_at: at };
  }
  const isFailing = type === 'domain.failing';
  const isVerified = type !== 'domain.unverified';
  return {
    domain_id: 'dom_00000000000000000000',
    domain: DOMAIN,
    is_verified: isVerified,
    stops_sending_at: isFailing ? new Date(at.getTime() + STOPS_AFTER_MS).toISOString() : null,
    problems: isFailing || !isVerified ? [PROBLEM] : [],
  } satisfies DomainEventData;
}

const SUPPRESSION: SuppressionEventData = {
  suppression_id: 'sup_00000000000000000000000000000000',
  email: 'recipient@example.org',
  reason: 'manual',
  source: 'manual',
  email_id: null,
  unsubscribe_group: null,
};

/** A step taken by an operator has no numbers. */
const CANARY_STEP_DATA = {
  ...{ canary: 'webhook-test', transport: 'default', provider: null, kind: 'pause' },
  ...{ from_percent: null, to_percent: null, numbers: null },
  message: 'A test of this webhook. No mail is moved.',
};

const STOPS_AFTER_MS = 72 * HOUR_MS;
const PROBLEM = {
  record: 'spf',
  name: DOMAIN,
  expected: 'v=spf1 include:mail.example.org ~all',
  message: 'A test of this webhook. Nothing has to be changed.',
};
