/** Turns a checked request into an email to store: canonical addresses, each recipient once, times as numbers. */

import type {
  Addresses,
  Attachment,
  NamedAddress,
  NewEmail,
  Recipient,
  RecipientKind,
} from '../emails/email.ts';
import type { SendBody } from '../emails/schema.ts';
import { type ParsedAddress, parseAddress } from '../kit/message/address.ts';
import { uuidv7, uuidv7Ms } from '../kit/runtime/ids.ts';
import { parseMoment } from '../kit/runtime/moment.ts';

type Mailbox = SendBody['from'];

/** A mailbox of a request, with its address taken apart. */
export interface ReadMailbox {
  readonly address: ParsedAddress;
  readonly name: string | null;
}

/** Whom an email is accepted for, and the key it came with. */
export type Submitter = Pick<NewEmail, 'organizationId' | 'keyId'>;

/** What takes too long to be read here: a batch names the same sender a thousand times, files are decoded in turns. */
interface ReadAlready {
  readonly sender?: ReadMailbox;
  readonly files?: readonly Attachment[];
}

export function toNewEmail(
  { organizationId, keyId }: Submitter,
  body: SendBody,
  nowMs: number,
  { sender = readMailbox(body.from), files = [] }: ReadAlready = {},
): NewEmail {
  const id = uuidv7(nowMs);
  const lists = {
    to: body.to.map(readMailbox),
    cc: (body.cc ?? []).map(readMailbox),
    bcc: (body.bcc ?? []).map(readMailbox),
  };
  return {
    organizationId,
    keyId,
    id,
    // The time inside the id, so that a range of times is exactly a range of ids.
    createdAtMs: uuidv7Ms(id),
    from: named(sender),
    fromDomain: sender.address.domain,
    addresses: addressesOf(lists, body.reply_to),
    recipients: distinctRecipients(lists),
    subject: body.subject,
    html: body.html ?? null,
    text: body.text ?? null,
    headers: body.headers ?? null,
    attachments: files,
    tags: body.tags ?? null,
    metadata: body.metadata ?? null,
    priority: body.priority ?? 'normal',
    trackOpens: body.track_opens ?? false,
    unsubscribe: body.unsubscribe ?? body.unsubscribe_group !== undefined,
    unsubscribeGroup: body.unsubscribe_group ?? null,
    textFromHtml: body.text_from_html ?? null,
    scheduledAtMs: body.scheduled_at === undefined ? null : parseMoment(body.scheduled_at),
    expiresInSeconds: body.expires_in ?? null,
    batchId: null,
    template: null,
  };
}

export function readMailbox({ email, name }: Mailbox): ReadMailbox {
  const address = parseAddress(email);
  if (!address.ok) throw new Error('An address reached storage unchecked.');
  return { address, name: name === undefined || name === '' ? null : name };
}

type Lists = Readonly<Record<RecipientKind, readonly ReadMailbox[]>>;

function addressesOf(lists: Lists, replyTo: Mailbox | undefined): Addresses {
  return {
    to: lists.to.map(named),
    cc: lists.cc.map(named),
    bcc: lists.bcc.map(named),
    reply_to: replyTo ? named(readMailbox(replyTo)) : null,
  };
}

/** The first mention counts: someone in both `to` and `bcc` is a visible recipient. */
function distinctRecipients(lists: Lists): Recipient[] {
  const seen = new Set<string>();
  const recipients: Recipient[] = [];
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const { address } of lists[kind]) {
      const { key, email, domain } = address;
      if (seen.has(key)) continue;
      seen.add(key);
      recipients.push({ kind, address: email, domain, key });
    }
  }
  return recipients;
}

function named({ address, name }: ReadMailbox): NamedAddress {
  return { email: address.email, name };
}
