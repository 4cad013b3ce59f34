/** A test in the formats of others, which have no word for one: an email that never was is delivered. */
import { messageId } from '../../kit/message/compose.ts';
import type { WebhookClaim } from '../queue.ts';
import type { MailFacts } from './formats/mail-facts.ts';

const NO_EMAIL = '00000000-0000-0000-0000-000000000000';
const SENDER = 'test@example.org';
const DOMAIN = 'example.org';

export function testFacts({ organizationId, eventId, createdAt }: WebhookClaim): MailFacts {
  return {
    organizationId,
    event: {
      id: eventId,
      type: 'delivered',
      position: 0,
      recipient: 'recipient@example.org',
      mx_host: 'mx.example.org',
      smtp_code: 250,
      smtp_message: '2.0.0 Ok',
      enhanced_code: '2.0.0',
      reason: null,
      attempt: 1,
      tls: null,
      tls_certificate: null,
      next_attempt_at: null,
      user_agent: null,
      url: null,
      created_at: createdAt,
    },
    email: {
      id: NO_EMAIL,
      batchId: null,
      from: { email: SENDER, name: null },
      subject: 'A test of this webhook',
      createdAt,
      isScheduled: false,
      tags: [],
      metadata: {},
      unsubscribeGroup: null,
      templateId: null,
      origin: {},
    },
    messageId: messageId({ id: NO_EMAIL, messageIdDomain: DOMAIN }),
    reply: '250 2.0.0 Ok',
    meaning: '',
    isDead: false,
    isFirstOpen: false,
  };
}
