/**
 * Checks a draft against a key's policy, whatever the entry point: its recipients, its content and its attachments. Daily
 * limits and approvals are checked when the draft is accepted. Pure.
 */
import type { NewEmail } from '../../emails/email.ts';
import type { Address } from '../../protocols/message/address.ts';
import { readAddressList } from '../../protocols/message/reading/address-list.ts';
import { fieldValue, readHeaderBlock } from '../../protocols/message/reading/header-block.ts';
import { isAmongPatterns } from '../../protocols/message/recipient-pattern.ts';
import { missingOfSender } from '../../protocols/message/sender-pattern.ts';
import type { PolicyInForce } from '../../runtime/permissions.ts';
import type { BatchDraft, Draft, DraftMailbox, Letterhead, TemplateChoice } from '../draft.ts';
import type { AtRecipient } from './refused-recipients.ts';

/** Header fields with addresses that a reader or a server may write to. In a whole message, also those that show recipients. */
const NAMING = new Set([
  ...['to', 'cc', 'bcc', 'resent-to', 'resent-cc', 'resent-bcc', 'apparently-to', 'x-original-to'],
  ...['disposition-notification-to', 'return-receipt-to', 'x-confirm-reading-to', 'errors-to'],
]);
/** Reply fields may also name the sender's own domains. */
const REPLYING = new Set(['reply-to', 'mail-reply-to', 'mail-followup-to', 'resent-reply-to']);

/** The longest address headers of a whole message that are compared with a policy: six times the length of 50 recipients. */
const MAX_NAMED_CHARS = 32 * 1024;
const TOO_MANY_NAMED =
  'the header names more people than this API key may: its addresses must not be longer than 32 KiB together';

const NO_CONTENT =
  'this API key sends templates only: name a template with template_id, and leave out html, text and whole messages';
const NO_HEADERS = 'this API key sends templates only, without custom headers: leave this header out';
const NO_FILES = 'this API key may not attach files: leave them out';
const NO_MESSAGES =
  'this API key may not send whole messages, because it may not attach files: send html or text over the API, or have its policy allow attachments';
const NO_COLLAPSING =
  'an email that waits for approval cannot replace other mail: leave this field out, or use a key that needs no approval';
const NOT_A_TEMPLATE = 'this API key may not send this template: name a template of its policy';

/** Makes no database query: `templateGate` resolves the template's alias. */
export function policyGate(policy: PolicyInForce | null, draft: Draft): PolicyRefused | null {
  if (policy === null) return null;
  return refused([
    ...contentProblems(policy, draft),
    ...letterProblems(policy, draft),
    ...(['to', 'cc', 'bcc'] as const).flatMap((list) =>
      draft[list].flatMap((mailbox, index) => recipientProblems(policy, mailbox, { list, index })),
    ),
    ...(draft.content.kind === 'mime' ? messageProblems(policy, draft.from.address, draft.content.mime) : []),
  ]);
}

/** Refuses the whole batch if one recipient is forbidden: such a batch is unlikely to be intended. */
export function batchPolicyGate(policy: PolicyInForce | null, draft: BatchDraft): PolicyRefused | null {
  if (policy === null) return null;
  return refused([
    ...letterProblems(policy, draft),
    ...draft.recipients.flatMap(({ to }, recipient) => recipientProblems(policy, to, { recipient })),
  ]);
}

/** `named`: the draft's name for the template. An alias in the policy counts as the id that it stands for now. */
export function templateGate(
  policy: PolicyInForce | null,
  { id, alias }: { readonly id: string; readonly alias: string | null },
): PolicyRefused | null {
  const allowed = policy?.templates ?? null;
  if (allowed === null || allowed.includes('*') || allowed.includes(id)) return null;
  if (alias !== null && allowed.includes(alias)) return null;
  return refused([{ at: 'template', message: NOT_A_TEMPLATE }]);
}

/** The terms of a policy that can only be checked in the transaction that accepts. */
export function termsOf(policy: PolicyInForce | null): NewEmail['terms'] {
  if (policy === null) return undefined;
  const { daily_budget: limit, budgetOf, approval } = policy;
  const budgets = limit === null ? [] : [{ owner: 'API key' as const, id: budgetOf, limit }];
  return { budgets, needsApproval: approval === 'required' };
}

function contentProblems(policy: PolicyInForce, { content }: Draft): PolicyProblem[] {
  if (content.kind === 'template' || content.kind === 'filled') return [];
  if (policy.templates !== null) return [{ at: 'content', message: NO_CONTENT }];
  return content.kind === 'mime' && !policy.attachments ? [{ at: 'content', message: NO_MESSAGES }] : [];
}

/** A templates-only key sends with the template's own subject, whatever the draft says, because the API requires a subject. */
export function asAllowed<Choice extends TemplateChoice>(
  policy: PolicyInForce | null,
  choice: Choice,
): Choice {
  return isTemplatesOnly(policy) ? { ...choice, subject: null } : choice;
}

export function isTemplatesOnly(policy: PolicyInForce | null): boolean {
  return (policy?.templates ?? null) !== null;
}

/** Checks the fields that a draft and a batch share. */
function letterProblems(
  policy: PolicyInForce,
  draft: Letterhead & Pick<Draft, 'attachments'>,
): PolicyProblem[] {
  const { attachments, headers, replyTo, from, collapseKey } = draft;
  const problems = [...senderProblems(policy, from), ...answerProblems(policy, replyTo)];
  if (attachments.length > 0 && !policy.attachments) problems.push({ at: 'attachments', message: NO_FILES });
  if (collapseKey !== null && policy.approval === 'required')
    problems.push({ at: 'collapse_key', message: NO_COLLAPSING });
  for (const [header, value] of Object.entries(headers ?? {})) {
    if (policy.templates !== null) problems.push({ at: { header }, message: NO_HEADERS });
    else problems.push(...fieldProblems(policy, from.address, header, value));
  }
  for (const [index, { address }] of replyTo.entries())
    if (!mayBeAnswered(policy, from.address, address))
      problems.push({ at: { replyTo: index }, message: notToReplyTo(address.email) });
  return problems;
}

function recipientProblems(
  policy: PolicyInForce,
  mailbox: DraftMailbox,
  at: AtRecipient['at'] | { readonly recipient: number },
): PolicyProblem[] {
  const { recipients } = policy;
  const { address } = mailbox;
  const isAllowed = recipients === null || isAmongPatterns(recipients, address);
  return [
    ...(isAllowed ? [] : [{ at, message: notAllowed(address.email) }]),
    ...recipientNameProblems(policy, mailbox, at),
  ];
}

/** The envelope decides who receives the message, but its header must not name a forbidden address either. */
function messageProblems(policy: PolicyInForce, from: Address, mime: Buffer): PolicyProblem[] {
  const head = readHeaderBlock(mime);
  if (!head.ok) return [{ at: 'content', message: `the header ${head.message}` }];
  const named = head.fields.filter(({ name }) => NAMING.has(name) || REPLYING.has(name));
  if (policy.recipients !== null && named.reduce((sum, { text }) => sum + text.length, 0) > MAX_NAMED_CHARS)
    return [{ at: 'content', message: TOO_MANY_NAMED }];
  return head.fields.flatMap((field) => [
    ...writtenSenderProblems(policy, field.name, fieldValue(field)),
    ...fieldProblems(policy, from, field.name, fieldValue(field)),
  ]);
}

function fieldProblems(policy: PolicyInForce, from: Address, name: string, value: string): PolicyProblem[] {
  const { recipients } = policy;
  const lower = name.toLowerCase();
  const isReplying = REPLYING.has(lower);
  if (recipients === null || !(isReplying || NAMING.has(lower))) return [];
  const wrong = readAddressList(value).find(({ address }) => {
    if (!address.ok) return true;
    return !(isReplying ? mayBeAnswered(policy, from, address) : isAmongPatterns(recipients, address));
  });
  if (wrong === undefined) return [];
  const who = wrong.address.ok ? wrong.address.email : 'an address that cannot be read';
  return [{ at: { header: name }, message: isReplying ? notToReplyTo(who) : notAllowed(who) }];
}

function mayBeAnswered({ recipients }: PolicyInForce, from: Address, address: Address): boolean {
  return recipients === null || address.domain === from.domain || isAmongPatterns(recipients, address);
}

function notAllowed(email: string): string {
  return `this API key may not send to ${email}: its policy does not list that recipient`;
}

function notToReplyTo(email: string): string {
  return `this API key may not have replies sent to ${email}: name a recipient of its policy, or an address at the sender’s domain`;
}

function refused(problems: readonly PolicyProblem[]): PolicyRefused | null {
  return problems.length === 0 ? null : { kind: 'policy_refused', problems };
}

/** The key's policy does not allow the draft. */
export interface PolicyRefused {
  readonly kind: 'policy_refused';
  readonly problems: readonly PolicyProblem[];
}

/** The parts of a draft that a key's policy does not allow, and their places. */
interface PolicyProblem {
  readonly at: PolicyPlace;
  readonly message: string;
}

export type PolicyPlace =
  | AtRecipient['at']
  | { readonly recipient: number }
  /** The display name of a recipient. */
  | { readonly nameOf: AtRecipient['at'] | { readonly recipient: number } }
  | { readonly replyTo: number; readonly part?: 'email' | 'name' }
  | { readonly header: string }
  | 'from.email'
  | 'from.name'
  | 'content'
  | 'template'
  | 'attachments'
  | 'collapse_key';

const NO_NAME = 'this API key sends templates only, without names for recipients: leave the name out';
const NO_ANSWERS =
  'this API key sends templates only, and replies may go only to the senders of its policy: name one of these senders, or leave this field out';
const NOT_PLAIN =
  'this API key may not send with a sender in this form: write one address, with or without a display name before it';

/** The header fields of a whole message that name its sender. */
const FROM_FIELDS = new Set(['from', 'sender', 'resent-from', 'resent-sender']);
/** One address, with or without a display name. Mail readers parse comments, groups and several addresses differently. */
const PLAIN = /^(?:(?:"(?:[^"\\]|\\.)*"|[^"(),:;<>@[\]\\]*)\s*<[^<>()\s]+>|[^<>()\s,:;]+)$/;

/**
 * Checks names against a key's policy: the sender, the reply addresses, and the display names of recipients. A templates-only
 * key may choose none of these texts freely. Pure.
 */
function senderProblems(policy: PolicyInForce, { address, name }: DraftMailbox): PolicyProblem[] {
  const missing = missingOf(policy, address, name);
  if (missing === null) return [];
  return missing === 'address'
    ? [{ at: 'from.email', message: notFrom(address.email) }]
    : [{ at: 'from.name', message: notNamed(name) }];
}

/** A policy that predates sender rules allows every address, and with templates no display name. */
function missingOf({ from, templates }: PolicyInForce, address: Address, name: string | null) {
  if (from !== null) return missingOfSender(from, address, name);
  return templates !== null && name !== null ? 'name' : null;
}

function answerProblems(
  { from, templates }: PolicyInForce,
  replyTo: readonly DraftMailbox[],
): PolicyProblem[] {
  if (templates === null) return [];
  return replyTo.flatMap(({ address, name }, index) => {
    const missing = missingOfSender(from ?? [], address, name);
    if (missing === null) return [];
    return [{ at: { replyTo: index, part: missing === 'name' ? 'name' : 'email' }, message: NO_ANSWERS }];
  });
}

function recipientNameProblems(
  { templates }: PolicyInForce,
  { name }: DraftMailbox,
  nameOf: Extract<PolicyPlace, { readonly nameOf: unknown }>['nameOf'],
): PolicyProblem[] {
  return templates === null || name === null ? [] : [{ at: { nameOf }, message: NO_NAME }];
}

/** Checks one header field of a whole message. */
function writtenSenderProblems(policy: PolicyInForce, name: string, value: string): PolicyProblem[] {
  const { from } = policy;
  if (from === null || !FROM_FIELDS.has(name)) return [];
  const [only, another] = readAddressList(value);
  const at = { header: name };
  if (only === undefined || another !== undefined || !only.address.ok || !PLAIN.test(value))
    return [{ at, message: NOT_PLAIN }];
  const missing = missingOfSender(from, only.address, only.name);
  if (missing === null) return [];
  return [{ at, message: missing === 'address' ? notFrom(only.address.email) : notNamed(only.name) }];
}

function notFrom(email: string): string {
  return `this API key may not send from ${email}: use a sender of its policy`;
}

function notNamed(name: string | null): string {
  return `this API key may not use the sender name ${JSON.stringify(name)}: leave the name out, or use the name that its policy has for this address`;
}
