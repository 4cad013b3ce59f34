/**
 * Mailboxes in requests: an object with `email` and `name`, or a text such as `Ada <ada@example.org>`. Either way the address and the
 * name obey the same rules, because both end in a header.
 */
import { type Static, Type } from 'typebox';
import { addressField, toAddress } from '../http/address-field.ts';
import { checked, strictObject } from '../http/schema.ts';
import { type Address, isReadAlike, isSendable, parseAddress } from '../protocols/message/address.ts';
import {
  MAX_MAILBOX_NAME_CHARS,
  type NamedMailbox,
  parseMailbox,
} from '../protocols/message/mailbox-text.ts';
import { isHeaderText } from '../protocols/message/unsafe-text.ts';
import { headerText } from './fields-schema.ts';

export const MAX_RECIPIENTS = 50;

export const CANNOT_BE_MAILED = 'Addresses with an IP address in place of a domain cannot be mailed.';
const UNCLEAR_SENDER =
  'In quotes, the part before the @ of a sender may have letters, digits, spaces, dots, and + - _ only: mail programs read others in different ways.';

type ProblemOf = (address: Address) => string | null;

const problemOfRecipient: ProblemOf = (address) => (isSendable(address) ? null : CANNOT_BE_MAILED);

/** The sender that was checked must be the one that receivers see. */
const problemOfSender: ProblemOf = (address) =>
  problemOfRecipient(address) ?? (isReadAlike(address) ? null : UNCLEAR_SENDER);

/** `{ email, name }` */
function mailboxObject(problemOf: ProblemOf) {
  const email = addressField({ description: 'An email address.', examples: ['ada@example.org'] }, problemOf);
  const name = Type.Optional(
    headerText(MAX_MAILBOX_NAME_CHARS, { description: 'Display name, such as `Ada Lovelace`.' }),
  );
  return strictObject({ email, name }, { $id: 'Mailbox' });
}

function mailboxAsText(problemOf: ProblemOf) {
  return checked(
    Type.String({
      description: 'Address as text, with or without a display name: `Ada <ada@example.org>`.',
      examples: ['ada@example.org'],
    }),
    (text, problems) => {
      const parsed = parseMailbox(text);
      const problem = parsed.ok ? problemOf(parsed.address) : parsed.message;
      if (problem !== null) problems.add('', problem);
    },
  );
}

function eitherForm(problemOf: ProblemOf) {
  return Type.Union([mailboxObject(problemOf), mailboxAsText(problemOf)], {
    $id: 'MailboxInput',
    description:
      'Email address with an optional display name, as an object or as text: `Ada <ada@example.org>`.',
  });
}

export const mailbox = eitherForm(problemOfRecipient);
export const senderMailbox = eitherForm(problemOfSender);

/** A list of mailboxes, or a single one. */
function mailboxList(length: { readonly minItems?: number; readonly maxItems: number }, description: string) {
  const alone = [mailboxObject(problemOfRecipient), mailboxAsText(problemOfRecipient)] as const;
  return Type.Union([Type.Array(mailbox, length), ...alone], { description });
}

const ONE_OR_A_LIST = `One address, or a list of up to ${MAX_RECIPIENTS}. to, cc and bcc together have at most ${MAX_RECIPIENTS} addresses.`;
export const recipients = mailboxList({ maxItems: MAX_RECIPIENTS }, ONE_OR_A_LIST);
export const atLeastOneRecipient = mailboxList({ minItems: 1, maxItems: MAX_RECIPIENTS }, ONE_OR_A_LIST);

/** The most addresses that a person may want to reply to at once. Mailing lists serve more. */
export const MAX_REPLY_TO = 10;

export const replyTo = mailboxList(
  { maxItems: MAX_REPLY_TO },
  `Addresses that replies go to: one, or a list of up to ${MAX_REPLY_TO}.`,
);

/**
 * A recipient of a batch. The schema does not check its address and name: an invalid recipient is rejected alone, by its index,
 * and the others are accepted.
 */
export const uncheckedMailbox = Type.Union([
  strictObject({ email: Type.String(), name: Type.Optional(Type.String()) }, { $id: 'BatchMailbox' }),
  Type.String({
    description: 'Address as text, with or without a display name: `Ada <ada@example.org>`.',
    examples: ['ada@example.org'],
  }),
]);

export function toMailbox(given: Static<typeof mailbox>): NamedMailbox {
  if (typeof given !== 'string') return { address: toAddress(given.email), name: given.name || null };
  const parsed = parseMailbox(given);
  if (!parsed.ok) throw new Error('A mailbox in a request was not checked.');
  return { address: parsed.address, name: parsed.name };
}

export function toMailboxes(given: Static<typeof recipients> | undefined): NamedMailbox[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given.map(toMailbox) : [toMailbox(given)];
}

/** Returns the mailbox, or a description of its problem. */
export function mailboxOrProblem(given: Static<typeof uncheckedMailbox>): NamedMailbox | string {
  const read = typeof given === 'string' ? parseMailbox(given) : readMailbox(given);
  if (!read.ok) return read.message;
  return problemOfRecipient(read.address) ?? { address: read.address, name: read.name };
}

function readMailbox({ email, name = '' }: { readonly email: string; readonly name?: string }) {
  const address = parseAddress(email);
  if (!address.ok) return { ok: false, message: address.message } as const;
  if (name.length > MAX_MAILBOX_NAME_CHARS)
    return { ok: false, message: `The name is longer than ${MAX_MAILBOX_NAME_CHARS} characters.` } as const;
  if (!isHeaderText(name)) return { ok: false, message: 'The name contains control characters.' } as const;
  return { ok: true, address, name: name || null } as const;
}
