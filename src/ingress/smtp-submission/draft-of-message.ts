/** Converts a submitted message to a draft. Problems of the message itself are found and reported here. */
import { MAX_REPLY_TO } from '../../emails/mailbox-schema.ts';
import { messageTls, TLS_REQUIRED_FIELD } from '../../emails/message-tls.ts';
import { type Address, isSendable } from '../../protocols/message/address.ts';
import { isAttachableType } from '../../protocols/message/file-content.ts';
import { checkContentId, checkContentType, checkHeaderName } from '../../protocols/message/header-check.ts';
import { MAX_TIMES_PASSED_ON, timesPassedOn } from '../../protocols/message/hops.ts';
import type { Attachment } from '../../protocols/message/mime.ts';
import {
  type ListedMailbox,
  readAddressList,
  readAddressListInTurns,
  readableLine,
} from '../../protocols/message/reading/address-list.ts';
import { badByte } from '../../protocols/message/reading/bad-byte.ts';
import {
  fieldValue,
  type HeaderField,
  readHeaderBlock,
} from '../../protocols/message/reading/header-block.ts';
import { decoding } from '../../protocols/message/reading/part-text.ts';
import { readSenderMailbox, type SenderMailbox } from '../../protocols/message/reading/sender-mailbox.ts';
import { showing } from '../../protocols/message/reading/shown-message.ts';
import { isPrivateField } from '../../protocols/message/server-fields.ts';
import { lookingForOpenHtml } from '../../protocols/message/submitted.ts';
import type { HeaderText } from '../../protocols/message/unsafe-text.ts';
import { inTurns } from '../../runtime/sliced-work.ts';
import { Turns } from '../../runtime/turns.ts';
import type { Draft, DraftMailbox } from '../../submission/draft.ts';
import type { MessageOptions, ReadOptions } from './options.ts';

export type DraftOfMessage =
  | {
      readonly kind: 'draft';
      readonly draft: Draft;
      readonly messageId: string | null;
      readonly idempotencyKey: string | null;
    }
  | { readonly kind: 'wrong'; readonly words: string; readonly idempotencyKey: string | null };

/**
 * RFC 5322, 3.6: a message may have each of these fields once. The validated field must be the displayed one.
 */
const SINGLE = [
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'mime-version'],
  ...['content-type', 'content-transfer-encoding'],
];
const MAX_SUBJECT_CHARS = 998;
const MAX_VALUE_CHARS = 1_000;
const TOO_MANY_TO_REPLY_TO = `The Reply-To field must not have more than ${MAX_REPLY_TO} addresses.`;
const LOOP = `The message was passed on more than ${MAX_TIMES_PASSED_ON} times, which looks like a mail loop.`;
const NOT_CARRIED = new Set(['reply-to']);

/** `requireTls`: the envelope demands it. */
export async function draftOfMessage(
  mime: Buffer,
  recipients: readonly Address[],
  readOptions: ReadOptions,
  requireTls = false,
): Promise<DraftOfMessage> {
  const bad = await badByte(mime);
  if (bad !== null) return wrong(bad);
  const head = readHeaderBlock(mime);
  if (!head.ok) return wrong(`The header ${head.message}.`);
  const fields = new Fields(head.fields);
  const twice = SINGLE.find((name) => fields.count(name) > 1);
  if (twice !== undefined) return wrong(`The header has more than one field ${fields.nameOf(twice)}.`);
  if (timesPassedOn(head.fields) > MAX_TIMES_PASSED_ON) return wrong(LOOP);
  const from = senderOf(fields);
  if (typeof from === 'string') return wrong(from);
  if (fields.mailboxes('reply-to', MAX_REPLY_TO + 1).length > MAX_REPLY_TO)
    return wrong(TOO_MANY_TO_REPLY_TO);
  const options = readOptions(head.fields);
  if ('wrong' in options) return wrong(options.wrong, options.idempotencyKey);
  const conflict = await conflictOf(options, fields, mime);
  if (conflict !== null) return wrong(conflict);
  const tls = messageTls(
    requireTls || options.mailOptions.tls === 'required',
    fields.values(TLS_REQUIRED_FIELD),
  );
  const { to, cc, bcc, replyTo } = await envelopeOf(fields, recipients);
  const { content, attachments, headers } = await contentOf(fields, options, mime);
  // Options come last, then the fields that replace some of them: each name after a spread costs 1 µs.
  const draft = { from, to, cc, bcc, replyTo, content, attachments, ...options.mailOptions };
  draft.headers = headers;
  draft.tls = tls;
  return {
    kind: 'draft',
    draft,
    messageId: fields.value('message-id'),
    idempotencyKey: options.idempotencyKey,
  };
}

class Fields {
  readonly all: readonly HeaderField[];
  readonly #byName = new Map<string, HeaderField[]>();

  constructor(all: readonly HeaderField[]) {
    this.all = all;
    for (const field of all) {
      const others = this.#byName.get(field.name);
      if (others === undefined) this.#byName.set(field.name, [field]);
      else others.push(field);
    }
  }

  count(name: string): number {
    return this.#byName.get(name)?.length ?? 0;
  }

  /** The name in its original spelling. */
  nameOf(name: string): string {
    return this.#byName.get(name)?.[0]?.text.slice(0, name.length) ?? name;
  }

  /** The value of the first field of that name; null when it is missing or empty. */
  value(name: string): string | null {
    const [first] = this.#byName.get(name) ?? [];
    return (first && fieldValue(first)) || null;
  }

  values(name: string): string[] {
    return (this.#byName.get(name) ?? []).map(fieldValue);
  }

  /** Null when the field is missing. */
  sender(name: string): SenderMailbox | null {
    const [first] = this.#byName.get(name) ?? [];
    return first === undefined ? null : readSenderMailbox(first.text);
  }

  /** The first `most` mailboxes. */
  mailboxes(name: string, most: number): ListedMailbox[] {
    const value = this.value(name);
    return value === null ? [] : readAddressList(value, most);
  }

  async allMailboxes(name: string): Promise<ListedMailbox[]> {
    const value = this.value(name);
    return value === null ? [] : readAddressListInTurns(value);
  }
}

/**
 * Returns an error message when the sender is wrong. Receivers check From, and some show Sender as well, so
 * both must be unambiguous.
 */
function senderOf(fields: Fields): DraftMailbox | string {
  const from = fields.sender('from');
  if (from === null) return 'The header has no From field with an address.';
  if (!from.ok) return `The From field ${from.message}.`;
  const sender = fields.sender('sender');
  if (sender !== null && !sender.ok) return `The Sender field ${sender.message}.`;
  const { address, name } = from;
  if (sender !== null && sender.address.domain !== address.domain)
    return `Sender must be at the domain of From, ${address.domain}.`;
  return { address, name };
}

/** The envelope determines the recipients. Those missing in To and Cc are blind copies. */
async function envelopeOf(
  fields: Fields,
  recipients: readonly Address[],
): Promise<Pick<Draft, 'to' | 'cc' | 'bcc' | 'replyTo'>> {
  const left = new Map(recipients.map((address) => [address.key, address]));
  const named = async (field: string): Promise<DraftMailbox[]> =>
    (await fields.allMailboxes(field)).flatMap((mailbox) => {
      const address = mailbox.address.ok ? left.get(mailbox.address.key) : undefined;
      if (address === undefined) return [];
      left.delete(address.key);
      return [{ address, name: mailbox.name }];
    });
  const to = await named('to');
  const cc = await named('cc');
  const bcc = [...left.values()].map((address) => ({ address, name: null }));
  const replyTo = fields.mailboxes('reply-to', MAX_REPLY_TO).flatMap((mailbox) => {
    const { address } = mailbox;
    return address.ok && isSendable(address) ? [{ address, name: mailbox.name }] : [];
  });
  return { to, cc, bcc, replyTo };
}

async function contentOf(
  fields: Fields,
  { template }: MessageOptions,
  mime: Buffer,
): Promise<Pick<Draft, 'content' | 'attachments' | 'headers'>> {
  const subject = readableLine(fields.value('subject') ?? '', MAX_SUBJECT_CHARS);
  if (template === null) {
    const content = {
      kind: 'mime',
      subject,
      mime,
      hasHtml: await inTurns(lookingForOpenHtml(mime, fields.value('content-type'))),
    } as const;
    return { content, attachments: [], headers: null };
  }
  const content = {
    kind: 'template',
    id: template.id,
    subject: subject || null,
    data: template.data,
    locale: template.locale,
  } as const;
  return { content, attachments: await filesOf(mime), headers: customHeaders(fields) };
}

/** With a template, the message is composed again with the files of the submitted one. */
async function filesOf(mime: Buffer): Promise<Attachment[]> {
  const turns = new Turns();
  const files: Attachment[] = [];
  const { files: shown } = await inTurns(showing(mime), turns);
  for (const { filename, contentType, contentId, part } of shown) {
    const isUsable = checkContentType(contentType).ok && isAttachableType(contentType);
    files.push({
      filename,
      contentType: isUsable ? contentType : 'application/octet-stream',
      contentId: contentId !== null && checkContentId(contentId).ok ? contentId : null,
      content: Buffer.from(await inTurns(decoding(part, part.body.length), turns)),
    });
  }
  return files;
}

function customHeaders({ all }: Fields): Record<string, HeaderText> | null {
  const custom = all.filter(
    ({ name }) => checkHeaderName(name).ok && !isPrivateField(name) && !NOT_CARRIED.has(name),
  );
  if (custom.length === 0) return null;
  return Object.fromEntries(
    custom.map((field) => [
      field.text.slice(0, field.name.length),
      readableLine(fieldValue(field), MAX_VALUE_CHARS),
    ]),
  );
}

async function conflictOf(
  { mailOptions, isTrackingAsked }: MessageOptions,
  fields: Fields,
  mime: Buffer,
): Promise<string | null> {
  if (
    mailOptions.unsubscribe &&
    (fields.count('list-unsubscribe') > 0 || fields.count('list-unsubscribe-post') > 0)
  )
    return 'The message has List-Unsubscribe fields of its own, and asks for ours: leave one of them out.';
  if (isTrackingAsked && (await inTurns(showing(mime))).isSealed)
    return 'Opens and clicks of this message cannot be tracked: it is signed or encrypted, and any change would break that.';
  return null;
}

function wrong(words: string, idempotencyKey: string | null = null): DraftOfMessage {
  return { kind: 'wrong', words, idempotencyKey };
}
