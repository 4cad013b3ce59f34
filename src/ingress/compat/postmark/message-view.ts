/** Emails in Postmark's format: in lists, alone, and with their events. */
import type { ClickTracking, NamedAddress } from '../../../emails/email.ts';
import type { EmailRow } from '../../../emails/store-read.ts';
import { streamOf, toPostmarkStream } from '../../../emails/stream.ts';
import { type EventRow, eventNumber, serverReply } from '../../../events/read.ts';
import type { StreamRow } from '../../../events/stream.ts';
import { mailboxText } from '../../../protocols/message/mailbox-text.ts';
import { metadataTexts } from '../../../webhooks/dispatch/formats/mail-facts.ts';
import { postmarkTag } from '../../../webhooks/dispatch/formats/postmark-words.ts';
import { summaryOf } from './bounce-type.ts';

export function messageView(email: EmailRow) {
  const { to, cc, bcc } = email.addresses;
  const all = [...to, ...cc, ...bcc].map((one) => one.email);
  return {
    MessageID: email.id,
    MessageStream: toPostmarkStream(streamOf(email.tags ?? [])),
    Tag: postmarkTag(email.tags ?? []),
    To: to.map(mailboxView),
    Cc: cc.map(mailboxView),
    Bcc: bcc.map(mailboxView),
    Recipients: [...new Set(all)],
    ReceivedAt: email.created_at,
    From: mailboxText({ email: email.from_email, name: email.from_name }),
    Subject: email.subject,
    Attachments: [] as string[],
    Status: email.status === 'queued' ? 'Queued' : 'Sent',
    TrackOpens: email.track_opens,
    TrackLinks: trackedLinks(email.options.track_clicks ?? 'off'),
    Metadata: metadataTexts(email.metadata ?? {}),
    Sandboxed: email.mode === 'sandbox',
  };
}

export function trackedLinks(clicks: ClickTracking): string {
  return { off: 'None', html: 'HtmlOnly', html_and_text: 'HtmlAndText' }[clicks];
}

function mailboxView({ email, name }: NamedAddress) {
  return { Email: email, Name: name ?? '' };
}

/** Omits events that Postmark does not have: queued mail and started attempts. */
export function messageEvents(events: readonly EventRow[]) {
  return events.flatMap((event) => {
    const told = toldOf(event);
    if (told === null) return [];
    const [Type, Details] = told;
    return [{ Recipient: event.recipient, Type, ReceivedAt: event.created_at, Details }];
  });
}

function toldOf(event: EventRow): readonly [string, Record<string, unknown>] | null {
  switch (event.type) {
    case 'delivered':
      return ['Delivered', serverOf(event)];
    case 'deferred':
      return ['Transient', serverOf(event)];
    case 'bounced':
    case 'failed':
    case 'complained':
      return ['Bounced', { Summary: summaryOf(event), BounceID: eventNumber(event.id) }];
    case 'opened':
      return ['Opened', { Summary: `Email opened with ${event.user_agent ?? 'an unknown program'}` }];
    case 'clicked':
      return ['LinkClicked', { Summary: `Link clicked: ${event.url ?? ''}`, Link: event.url ?? '' }];
    case 'unsubscribed':
      return ['SubscriptionChanged', { Origin: 'Recipient', SuppressSending: 'True' }];
    case 'rejected':
      return ['Rejected', { Summary: summaryOf(event) }];
    default: // Postmark has no such event
      return null;
  }
}

function serverOf(event: EventRow) {
  return { DeliveryMessage: serverReply(event), DestinationServer: event.mx_host ?? '', DestinationIP: '' };
}

const UNKNOWN = { Name: '', Company: '', Family: '' };

/** Like `openView`. The position of the link in the mail is unknown. */
export function clickView(event: StreamRow, email: EmailRow | undefined) {
  const { ReadSeconds: _seconds, ...common } = openView(event, email);
  return { ...common, RecordType: 'Click', ClickLocation: 'HTML', OriginalLink: event.url ?? '' };
}

/** `email` is undefined after its removal. Client and location are not derived from the request. */
export function openView(event: StreamRow, email: EmailRow | undefined) {
  return {
    RecordType: 'Open',
    MessageID: event.email_id,
    MessageStream: toPostmarkStream(streamOf(email?.tags ?? [])),
    Tag: postmarkTag(email?.tags ?? []),
    Recipient: event.recipient,
    ReceivedAt: event.created_at,
    UserAgent: event.user_agent ?? '',
    Client: UNKNOWN,
    OS: UNKNOWN,
    Platform: 'Unknown',
    ReadSeconds: 0,
    Geo: {},
  };
}
