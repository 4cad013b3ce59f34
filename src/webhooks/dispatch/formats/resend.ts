/**
 * Resend's format. An event concerns one recipient, so `to` contains only this one: for an email to several recipients, Resend
 * itself does not say which of them bounced.
 */
import { mailboxText } from '../../../protocols/message/mailbox-text.ts';
import type { MailFacts } from './mail-facts.ts';

export function resendBody(mail: MailFacts): object | null {
  const word = wordFor(mail);
  if (word === null) return null;
  const { event, email, messageId } = mail;
  const data = {
    email_id: email.id,
    message_id: messageId,
    created_at: email.createdAt,
    from: mailboxText(email.from),
    to: [event.recipient],
    subject: email.subject,
    ...(email.tags.length > 0 && {
      tags: Object.fromEntries(email.tags.map((tag) => [tag.name, tag.value])),
    }),
    ...(email.templateId !== null && { template_id: email.templateId }),
    ...detailsOf(word, mail),
  };
  return { type: word, created_at: event.created_at, data };
}

function wordFor({ event, email }: MailFacts): string | null {
  switch (event.type) {
    case 'queued':
      return email.isScheduled ? 'email.scheduled' : null;
    case 'processing':
      return event.attempt === 1 ? 'email.sent' : null;
    case 'deferred':
      return 'email.delivery_delayed';
    case 'rejected':
      if (event.reason === 'cancelled') return null;
      return event.reason === 'suppressed' ? 'email.suppressed' : 'email.failed';
    case 'delivered':
    case 'opened':
    case 'clicked':
    case 'bounced':
    case 'failed':
    case 'complained':
      return `email.${event.type}`;
    default: // Resend has no such event.
      return null;
  }
}

function detailsOf(word: string, mail: MailFacts): object {
  switch (word) {
    case 'email.bounced':
      return { bounce: bounceOf(mail) };
    case 'email.clicked':
      return { click: clickOf(mail) };
    case 'email.failed':
      return { failed: { reason: wordsOf(mail) } };
    case 'email.suppressed':
      return { suppressed: { message: mail.meaning, type: 'OnAccountSuppressionList' } };
    default:
      return {};
  }
}

/** The IP address of the click is not stored. */
function clickOf({ event }: MailFacts): object {
  return {
    ipAddress: '',
    link: event.url ?? '',
    timestamp: event.created_at,
    userAgent: event.user_agent ?? '',
  };
}

const SUB_TYPES: Readonly<Record<string, string>> = {
  mailbox_full: 'MailboxFull',
  message_too_large: 'MessageTooLarge',
  content_refused: 'ContentRejected',
  undetermined: 'Undetermined',
};

/** Amazon SES's terms, which Resend uses. Code that gets `Permanent` removes the address. */
function bounceOf(mail: MailFacts): object {
  const { event, isDead } = mail;
  const subType = SUB_TYPES[event.reason ?? ''] ?? 'General';
  const type = isDead ? 'Permanent' : subType === 'Undetermined' ? 'Undetermined' : 'Transient';
  return { message: wordsOf(mail), type, subType };
}

function wordsOf({ reply, meaning }: MailFacts): string {
  return reply || meaning;
}
