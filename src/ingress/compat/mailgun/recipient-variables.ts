/**
 * `recipient-variables`: each recipient in `to` gets a separate message that shows no other recipient, with
 * `%recipient.name%` replaced by the recipient's value.
 */

import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { parseAddress } from '../../../protocols/message/address.ts';
import { Problems } from '../../../runtime/problems.ts';
import { assertFitsTogether } from '../drafts-of.ts';
import { fillIn } from '../fill-in.ts';
import type { MailboxJson } from '../mailboxes.ts';

const MAX_RECIPIENTS = 1_000;
const VARIABLE = /%recipient\.[^%\s]{1,200}%/g;
const BEGIN = '%recipient.'.length;
/** Message fields without variables, which are not searched. */
const UNTOUCHED = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'reply_to',
  'attachments',
  'tags',
  'scheduled_at',
  'template_id',
]);

/** One body per recipient in `to`, built lazily. */
export function personalBodies(body: JsonFields, variables: JsonFields): (() => JsonFields)[] {
  const to = (body.to ?? []) as readonly MailboxJson[];
  const problems = new Problems();
  if (to.length > MAX_RECIPIENTS) problems.add('to', `must not have more than ${MAX_RECIPIENTS} recipients`);
  for (const field of ['cc', 'bcc'])
    if (body[field] !== undefined)
      problems.add(
        field,
        'must not be given together with recipient-variables: they would get every message',
      );
  problems.throwIfAny();
  if (to.length === 0) return [() => body];
  assertFitsTogether(to.length, charsIn(body), 'to');
  const known = new Map(
    Object.entries(variables).map(([email, values]) => [keyOf(email), jsonFields(values)]),
  );
  return to.map((mailbox) => () => {
    return { ...filledFor(body, known.get(keyOf(mailbox.email)) ?? {}), to: [mailbox] };
  });
}

/** Total length of the texts searched for variables. */
function charsIn(body: JsonFields): number {
  let chars = 0;
  for (const [name, value] of Object.entries(body)) {
    if (!UNTOUCHED.has(name) && value !== undefined)
      chars += typeof value === 'string' ? value.length : JSON.stringify(value).length;
  }
  return chars;
}

/** Unknown variables stay unchanged. */
function filledFor(body: JsonFields, values: JsonFields): JsonFields {
  const valueFor = (found: string) => textOf(values[found.slice(BEGIN, -1)]);
  const filling = { pattern: VARIABLE, valueFor, field: 'recipient-variables' };
  const fill = (text: string) => fillIn(text, filling);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, UNTOUCHED.has(name) ? value : inTexts(value, fill)]),
  );
}

function inTexts(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((one) => inTexts(one, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inTexts(inner, fill)]));
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Equal for different spellings of one address. */
function keyOf(email: unknown): string {
  const address = parseAddress(String(email));
  return address.ok ? address.key : String(email);
}
