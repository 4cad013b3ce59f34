/** Postmark's format. It has no events for mail that is queued, delayed or not sent. */
import { streamOf, toPostmarkStream } from '../../../emails/stream.ts';
import { eventNumber } from '../../../events/read.ts';
import { type MailFacts, metadataTexts } from './mail-facts.ts';
import {
  postmarkActivity,
  postmarkBounce,
  postmarkDescription,
  postmarkServerId,
  postmarkTag,
} from './postmark-bounce-types.ts';

export function postmarkBody(mail: MailFacts): object | null {
  const { event } = mail;
  switch (event.type) {
    case 'delivered':
      return {
        RecordType: 'Delivery',
        ...about(mail),
        Recipient: event.recipient,
        DeliveredAt: event.created_at,
        Details: mail.reply,
      };
    case 'bounced':
    case 'failed':
      return { RecordType: 'Bounce', ...returned(mail) };
    case 'complained':
      return { RecordType: 'SpamComplaint', ...returned(mail) };
    case 'opened':
      return { RecordType: 'Open', ...about(mail), ...openOf(mail) };
    case 'clicked':
      return { RecordType: 'Click', ...about(mail), ...clickOf(mail) };
    case 'unsubscribed':
      return {
        RecordType: 'SubscriptionChange',
        ...about(mail),
        Recipient: event.recipient,
        ChangedAt: event.created_at,
        Origin: 'Recipient',
        SuppressSending: true,
        SuppressionReason: 'ManualSuppression',
      };
    default: // Postmark reports no such event.
      return null;
  }
}

function about({ organizationId, email }: MailFacts) {
  return {
    MessageID: email.id,
    ServerID: postmarkServerId(organizationId),
    MessageStream: toPostmarkStream(streamOf(email.tags)),
    Tag: postmarkTag(email.tags),
    Metadata: metadataTexts(email.metadata),
  };
}

function returned(mail: MailFacts): object {
  const { event, email, reply, meaning, isDead, isSuppressed } = mail;
  return {
    ...about(mail),
    ...postmarkBounce(event, isDead),
    ID: eventNumber(event.id),
    Description: postmarkDescription(event, meaning),
    Details: reply || meaning,
    Email: event.recipient,
    From: email.from.email,
    BouncedAt: event.created_at,
    DumpAvailable: false,
    ...postmarkActivity(event, isSuppressed),
    Subject: email.subject,
  };
}

function clickOf({ event }: MailFacts): object {
  return {
    Recipient: event.recipient,
    ReceivedAt: event.created_at,
    ClickLocation: 'HTML',
    OriginalLink: event.url ?? '',
    UserAgent: event.user_agent ?? '',
    Client: UNKNOWN,
    OS: UNKNOWN,
    Platform: 'Unknown',
    Geo: {},
  };
}

const UNKNOWN = { Name: 'unknown', Company: 'unknown', Family: 'unknown' };

function openOf({ event, isFirstOpen }: MailFacts): object {
  return {
    Recipient: event.recipient,
    ReceivedAt: event.created_at,
    FirstOpen: isFirstOpen,
    UserAgent: event.user_agent ?? '',
    Client: UNKNOWN,
    OS: UNKNOWN,
    Platform: 'Unknown',
    ReadSeconds: 0,
    Geo: {},
  };
}
