/**
 * Checks names against a key's policy: the sender, the reply addresses, and the display names of recipients. A templates-only
 * key may choose none of these texts freely. Pure.
 */
import type { Address } from '../../protocols/message/address.ts';
import { readAddressList } from '../../protocols/message/reading/address-list.ts';
import { missingOfSender } from '../../protocols/message/sender-pattern.ts';
import type { PolicyInForce } from '../../runtime/permissions.ts';
import type { DraftMailbox } from '../draft.ts';
import type { PolicyPlace, PolicyProblem } from './policy-refused.ts';

const NO_NAME = 'this API key sends templates only, without names of its own for recipients: leave it out';
const NO_ANSWERS =
  'this API key sends templates only, and answers may go to the senders in from of its policy alone: name one of them, or leave it out';
const NOT_PLAIN =
  'this API key may not write its sender like that: write one address, with its display name before it or without';

/** The header fields of a whole message that name its sender. */
const FROM_FIELDS = new Set(['from', 'sender', 'resent-from', 'resent-sender']);
/** One address, with or without a display name. Mail readers parse comments, groups and several addresses differently. */
const PLAIN = /^(?:(?:"(?:[^"\\]|\\.)*"|[^"(),:;<>@[\]\\]*)\s*<[^<>()\s]+>|[^<>()\s,:;]+)$/;

export function senderProblems(policy: PolicyInForce, { address, name }: DraftMailbox): PolicyProblem[] {
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

export function answerProblems(
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

export function recipientNameProblems(
  { templates }: PolicyInForce,
  { name }: DraftMailbox,
  nameOf: Extract<PolicyPlace, { readonly nameOf: unknown }>['nameOf'],
): PolicyProblem[] {
  return templates === null || name === null ? [] : [{ at: { nameOf }, message: NO_NAME }];
}

/** Checks one header field of a whole message. */
export function writtenSenderProblems(policy: PolicyInForce, name: string, value: string): PolicyProblem[] {
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
  return `this API key may not send from ${email}: use a sender that its policy has in from`;
}

function notNamed(name: string | null): string {
  return `this API key may not use the sender name ${JSON.stringify(name)}: leave it out, or use the one that its policy has for this address`;
}
