/** Turns a checked request into an email to store: canonical addresses, each recipient once, times as numbers. */
import { type ParsedAddress, parseAddress } from '../../message/address.ts';
import { uuidv7, uuidv7Ms } from '../../runtime/ids.ts';
import { parseMoment } from '../../runtime/moment.ts';
import type { Addresses, Attachment, NamedAddress, NewEmail, Recipient, RecipientKind } from './email.ts';
import type { SendBody } from './schema.ts';

type Mailbox = SendBody['from'];

export function toNewEmail(organizationId: string, body: SendBody, nowMs: number): NewEmail {
  const id = uuidv7(nowMs);
  const lists = { to: body.to, cc: body.cc ?? [], bcc: body.bcc ?? [] };
  return {
    organizationId,
    id,
    // The time inside the id, so that a range of times is exactly a range of ids.
    createdAtMs: uuidv7Ms(id),
    from: named(body.from),
    fromDomain: parsed(body.from).domain,
    addresses: addressesOf(lists, body.reply_to),
    recipients: distinctRecipients(lists),
    subject: body.subject,
    html: body.html ?? null,
    text: body.text ?? null,
    headers: body.headers ?? null,
    attachments: (body.attachments ?? []).map(toAttachment),
    tags: body.tags ?? null,
    metadata: body.metadata ?? null,
    priority: body.priority ?? 'normal',
    trackOpens: body.track_opens ?? false,
    unsubscribe: body.unsubscribe ?? false,
    scheduledAtMs: body.scheduled_at === undefined ? null : parseMoment(body.scheduled_at),
    expiresInSeconds: body.expires_in ?? null,
    batchId: null,
    template: null,
  };
}

type Lists = Readonly<Record<RecipientKind, readonly Mailbox[]>>;

function addressesOf(lists: Lists, replyTo: Mailbox | undefined): Addresses {
  return {
    to: lists.to.map(named),
    cc: lists.cc.map(named),
    bcc: lists.bcc.map(named),
    reply_to: replyTo ? named(replyTo) : null,
  };
}

/** The first mention counts: someone in both `to` and `bcc` is a visible recipient. */
function distinctRecipients(lists: Lists): Recipient[] {
  const seen = new Set<string>();
  const recipients: Recipient[] = [];
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const mailbox of lists[kind]) {
      const { key, email, domain } = parsed(mailbox);
      if (seen.has(key)) continue;
      seen.add(key);
      recipients.push({ kind, address: email, domain, key });
    }
  }
  return recipients;
}

function named(mailbox: Mailbox): NamedAddress {
  return {
    email: parsed(mailbox).email,
    name: mailbox.name === undefined || mailbox.name === '' ? null : mailbox.name,
  };
}

/** A batch names the same sender a thousand times: each mailbox of a request is parsed once. */
const known = new WeakMap<Mailbox, ParsedAddress>();

function parsed(mailbox: Mailbox): ParsedAddress {
  const before = known.get(mailbox);
  if (before) return before;
  const address = parseAddress(mailbox.email);
  if (!address.ok) throw new Error('An address reached storage unchecked.');
  known.set(mailbox, address);
  return address;
}

function toAttachment(attachment: NonNullable<SendBody['attachments']>[number]): Attachment {
  return {
    filename: attachment.filename,
    contentType: attachment.content_type ?? 'application/octet-stream',
    contentId: attachment.content_id ?? null,
    content: Buffer.from(attachment.content, 'base64'),
  };
}
