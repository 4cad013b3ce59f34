/** Turns a draft into an email to store, with canonical addresses, distinct recipients, an id and a time. */

import type {
  Addresses,
  MailOptions,
  NamedAddress,
  NewEmail,
  Recipient,
  StoredOptions,
  Submitter,
} from '../emails/email.ts';
import type { MailOrigin } from '../emails/origin.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import { uuidv7, uuidv7Ms } from '../runtime/ids.ts';
import type { PolicyInForce } from '../runtime/permissions.ts';
import type { AppliedDefaults } from './defaults.ts';
import type { Draft, DraftMailbox, FilledContent, InlineContent, WholeMessage } from './draft.ts';
import { termsOf } from './gates/policy.ts';
import type { AnswerPlace } from './reply-addresses.ts';
import type { Streamed } from './streamed.ts';

/** A draft without its content and attachments. */
type DraftOutline = Omit<Draft, 'content' | 'attachments'>;

/** The facts about a draft that were looked up. */
interface DraftFacts extends Pick<NewEmail, 'attachments'>, Partial<Pick<NewEmail, 'batchAttachments'>> {
  readonly nowMs: number;
  readonly batchId: string | null;
  readonly defaults: AppliedDefaults;
  readonly streamed: Streamed;
  /** Where replies are received; null if they are not. */
  readonly answers?: AnswerPlace | null;
}

export function toNewEmail(
  { organizationId, keyId, origin, policy = null }: Submitter & { readonly policy?: PolicyInForce | null },
  draft: DraftOutline,
  content: InlineContent | WholeMessage | FilledContent,
  { nowMs, batchId, attachments, batchAttachments = [], defaults, streamed, answers = null }: DraftFacts,
): NewEmail {
  const id = uuidv7(nowMs);
  const isInline = content.kind === 'inline';
  const answerPlace = answers?.({ organizationId, emailId: id });
  return {
    organizationId,
    keyId,
    id,
    // The time inside the id, so that a time range is exactly an id range.
    createdAtMs: uuidv7Ms(id),
    from: named(draft.from),
    fromDomain: draft.from.address.domain,
    addresses: addressesOf(draft, answerPlace),
    options: { ...storedOptionsOf(draft, defaults, origin, answerPlace), ...pinnedOf(content) },
    recipients: distinctRecipients(draft),
    subject: content.subject,
    html: isInline ? content.html : null,
    text: isInline ? content.text : null,
    mime: content.kind === 'mime' ? content.mime : null,
    attachments,
    batchAttachments,
    batchId,
    template: content.kind === 'filled' ? content.template : null,
    terms: termsOf(policy),
    conversationId: draft.conversationId,
    ...optionsOf(draft, defaults, streamed),
  };
}

/** Copies the options only, so that the email does not keep the whole draft in memory. */
function optionsOf(
  draft: DraftOutline,
  defaults: AppliedDefaults,
  { priority, stream, tags, unsubscribeGroup }: Streamed,
): MailOptions & AppliedDefaults & Pick<NewEmail, 'priority'> {
  return {
    headers: draft.headers,
    tags,
    metadata: draft.metadata,
    priority,
    stream,
    unsubscribe: draft.unsubscribe,
    unsubscribeGroup,
    receiveReplies: draft.receiveReplies,
    textFromHtml: draft.textFromHtml,
    collapseKey: draft.collapseKey,
    tls: draft.tls,
    scheduledAtMs: draft.scheduledAtMs,
    expiresInSeconds: draft.expiresInSeconds,
    onSuppressed: draft.onSuppressed,
    ...defaults,
  };
}

/** `answerPlace`: where replies are received, if they are. */
function addressesOf(
  { to, cc, bcc, replyTo }: DraftOutline,
  answerPlace: EmailAddress | undefined,
): Addresses {
  const [first = null, ...more] = replyTo.map(named);
  return {
    to: to.map(named),
    cc: cc.map(named),
    bcc: bcc.map(named),
    reply_to: answerPlace === undefined ? first : { email: answerPlace, name: null },
    reply_to_more: more.length > 0 ? more : undefined,
  };
}

function storedOptionsOf(
  { collapseKey, tls, resentFrom }: DraftOutline,
  { trackClicks }: AppliedDefaults,
  origin: MailOrigin | undefined,
  answerPlace: EmailAddress | undefined,
): StoredOptions {
  return {
    receive_replies: answerPlace === undefined ? undefined : true,
    collapse_key: collapseKey ?? undefined,
    tls: tls ?? undefined,
    track_clicks: trackClicks === 'off' ? undefined : trackClicks,
    resent_from: resentFrom,
    origin,
  };
}

/** Records the versions of layout and partials, and the locale. The template itself is stored as an exact version. */
function pinnedOf(
  content: InlineContent | WholeMessage | FilledContent,
): Pick<StoredOptions, 'built_with' | 'locale'> {
  if (content.kind !== 'filled') return {};
  const { builtWith, locale } = content.template;
  return {
    ...(builtWith === null ? {} : { built_with: builtWith }),
    ...(locale === null ? {} : { locale }),
  };
}

/** The first mention counts: someone in both `to` and `bcc` is a visible recipient. */
function distinctRecipients(draft: DraftOutline): Recipient[] {
  const seen = new Set<string>();
  const recipients: Recipient[] = [];
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const { address } of draft[kind]) {
      if (seen.has(address.key)) continue;
      seen.add(address.key);
      recipients.push({ kind, address });
    }
  }
  return recipients;
}

function named({ address, name }: DraftMailbox): NamedAddress {
  return { email: address.email, name };
}
