/** Turns an email that was sent into a draft of the same email, which is checked like every draft. */
import { clickTrackingOf } from '../emails/email.ts';
import type { ResendableEmail } from '../emails/resendable.ts';
import { PRIORITIES } from '../outbox/states.ts';
import { type Address, type AddressKey, addressKeyOf } from '../protocols/message/address.ts';
import { oneLine } from '../protocols/message/unsafe-text.ts';
import type { Mode } from '../runtime/config.ts';
import { Problems } from '../runtime/problems.ts';
import { ServiceError } from '../runtime/service-error.ts';
import type { Draft, DraftMailbox } from './draft.ts';

type Recipients = Pick<Draft, 'to' | 'cc' | 'bcc'>;

/** Waiting mail would arrive twice. */
const UNDECIDED: ReadonlySet<string> = new Set(['queued', 'deferred']);

/** `chosen`: some of the recipients; null means all. */
export function resendDraft(source: ResendableEmail, chosen: readonly Address[] | null, mode: Mode): Draft {
  const { email, headers, attachments } = source;
  // The sandbox's recipients are invented, or did not expect mail.
  if (email.mode !== mode)
    throw conflict(
      `The email was not accepted in ${mode} mode, so it cannot be sent again. Send a new email instead.`,
    );
  const { options } = email;
  const receiveReplies = options.receive_replies === true;
  return {
    ...{ from: source.from, ...recipientsOf(source, chosen) },
    ...{ content: contentOf(source), attachments, resentFrom: email.id },
    ...{ replyTo: receiveReplies ? [] : source.replyTo, receiveReplies },
    conversationId: source.conversation_id ?? undefined,
    headers:
      headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(value)])),
    ...{ tags: email.tags, metadata: email.metadata, stream: email.stream },
    priority: PRIORITIES[email.priority] ?? null,
    ...{ unsubscribe: source.unsubscribe, unsubscribeGroup: source.unsubscribe_group },
    ...{ textFromHtml: source.textFromHtml, trackOpens: email.track_opens },
    trackClicks: clickTrackingOf(options.track_clicks ?? 'off'),
    ...{ tls: options.tls ?? null, expiresInSeconds: email.expires_in },
    // A resend must not replace a newer email with the same key, and is sent now.
    ...{ collapseKey: null, scheduledAtMs: null, onSuppressed: 'refuse' },
  };
}

function contentOf({ content, email }: ResendableEmail): Draft['content'] {
  const subject = oneLine(email.subject);
  // Only mail with html has opens to track.
  return content.kind === 'mime'
    ? { ...content, subject, hasHtml: email.track_opens }
    : { ...content, subject };
}

function recipientsOf(source: ResendableEmail, chosen: readonly Address[] | null): Recipients {
  const { recipients, content } = source;
  const named = chosen === null ? null : chosenKeys(chosen, recipients);
  const taken = recipients.filter(({ address }) => named?.has(addressKeyOf(address)) ?? true);
  const undecided = taken.find(({ state }) => UNDECIDED.has(state));
  if (undecided !== undefined)
    throw conflict(
      `The delivery to ${undecided.address} has not ended yet. Wait until it has, or try it now with POST /emails/:id/retry.`,
    );
  const keys = new Set(taken.map(({ address }) => addressKeyOf(address)));
  const among = (list: readonly DraftMailbox[]) => list.filter(({ address }) => keys.has(address.key));
  const lists = { to: among(source.to), cc: among(source.cc), bcc: among(source.bcc) };
  // A message that was submitted whole names its recipients in its own header.
  if (lists.to.length > 0 || content.kind === 'mime') return lists;
  if (lists.cc.length > 0) return { ...lists, to: lists.cc, cc: [] };
  throw new Problems()
    .add('recipients', 'must include a recipient of to or cc: those in bcc would see each other’s addresses')
    .toError();
}

function chosenKeys(
  chosen: readonly Address[],
  recipients: ResendableEmail['recipients'],
): ReadonlySet<AddressKey> {
  const known = new Set(recipients.map(({ address }) => addressKeyOf(address)));
  const problems = new Problems();
  for (const [index, { key }] of chosen.entries())
    if (!known.has(key)) problems.add(`recipients[${index}]`, 'is not a recipient of this email');
  if (problems.any) throw problems.toError();
  return new Set(chosen.map(({ key }) => key));
}

function conflict(message: string): ServiceError {
  return new ServiceError('CONFLICT', message);
}
