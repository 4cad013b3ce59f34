/** SendGrid's format: a list of flat objects. Postrider's list has one. */
import { eventId } from '../../../events/read.ts';
import { type MailFacts, metadataTexts, valuesOfTag } from './mail-facts.ts';

export function sendgridBody(mail: MailFacts): readonly object[] | null {
  const word = wordFor(mail);
  if (word === null) return null;
  const { event, email } = mail;
  const categories = valuesOfTag(email.tags, 'category');
  const group = asmGroupOf(mail);
  return [
    {
      ...customArgsOf(mail),
      email: event.recipient,
      timestamp: Math.floor(event.created_at.getTime() / 1000),
      event: word,
      sg_event_id: eventId(event.id),
      sg_message_id: messageIdOf(mail),
      ...(categories.length > 0 && { category: categories }),
      ...(group !== null && { asm_group_id: group }),
      ...(email.templateId !== null && { sg_template_id: email.templateId }),
      ...detailsOf(word, mail),
    },
  ];
}

/** Extra fields of the event, which never override its own: metadata, and tags that are no categories. */
function customArgsOf({ email }: MailFacts): Record<string, string> {
  const tags = email.tags.filter((tag) => valuesOfTag([tag], 'category').length === 0);
  return {
    ...Object.fromEntries(tags.map(({ name, value }) => [name, value])),
    ...metadataTexts(email.metadata),
  };
}

/** Code compares the part before the dot with the `x-message-id` of its request, which may have created several emails. */
function messageIdOf({ email }: MailFacts): string {
  return email.batchId === null ? email.id : `${email.batchId}.${email.id}`;
}

/** SendGrid's groups have numbers, and are stored as `asm-3`. */
function asmGroupOf({ email }: MailFacts): number | null {
  const number = /^asm-(\d{1,15})$/.exec(email.unsubscribeGroup ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

function wordFor(mail: MailFacts): string | null {
  const { event } = mail;
  switch (event.type) {
    case 'processing':
      return event.attempt === 1 ? 'processed' : null;
    case 'delivered':
    case 'deferred':
      return event.type;
    case 'bounced':
    case 'failed':
      return 'bounce';
    case 'rejected':
      return event.reason === 'cancelled' ? null : 'dropped';
    case 'opened':
      return 'open';
    case 'clicked':
      return 'click';
    case 'complained':
      return 'spamreport';
    case 'unsubscribed':
      return asmGroupOf(mail) === null ? 'unsubscribe' : 'group_unsubscribe';
    default: // SendGrid has no such event.
      return null;
  }
}

function detailsOf(word: string, mail: MailFacts): object {
  const { event, messageId, reply, meaning } = mail;
  const sent = { 'smtp-id': messageId, tls: event.tls === null ? 0 : 1 };
  const status = event.enhanced_code === null ? {} : { status: event.enhanced_code };
  switch (word) {
    case 'processed':
      return { 'smtp-id': messageId };
    case 'delivered':
      return { ...sent, response: reply };
    case 'deferred':
      return {
        ...sent,
        ...status,
        response: reply || meaning,
        ...(event.attempt !== null && { attempt: String(event.attempt) }),
      };
    case 'bounce':
      return { ...sent, ...status, reason: reply || meaning, ...bounceOf(mail) };
    case 'dropped':
      return { 'smtp-id': messageId, reason: meaning };
    case 'open':
      return {
        useragent: event.user_agent ?? '',
        sg_content_type: 'html',
        sg_machine_open: event.reason !== null,
      };
    case 'click':
      return {
        useragent: event.user_agent ?? '',
        url: event.url ?? '',
        url_offset: { index: 0, type: 'html' },
        sg_machine_open: event.reason !== null,
      };
    default:
      return {};
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  mailbox_full: 'Mailbox Unavailable',
  mailbox_unavailable: 'Mailbox Unavailable',
  content_refused: 'Content',
  message_too_large: 'Content',
  blocked: 'Reputation',
  authentication_failed: 'Reputation',
  reverse_dns_missing: 'Reputation',
  rate_limited: 'Frequency or Volume Too High',
  recipient_receives_too_fast: 'Frequency or Volume Too High',
  connection_refused: 'Technical',
  connection_timed_out: 'Technical',
  connection_lost: 'Technical',
  dns_unavailable: 'Technical',
  tls_failed: 'Technical',
  requiretls_unsupported: 'Technical',
  requiretls_failed: 'Technical',
};

/** In SendGrid, a `bounce` ends an address, and `blocked` a message. */
function bounceOf({ event, isDead }: MailFacts): object {
  return {
    type: isDead ? 'bounce' : 'blocked',
    bounce_classification: isDead ? 'Invalid Address' : (CLASSES[event.reason ?? ''] ?? 'Unclassified'),
  };
}
