/** The sending options of a submitted message, with the API's rules. */
import { type Static, Type } from 'typebox';
import { mailLocale } from '../../emails/fields-schema.ts';
import { letterheadFields } from '../../emails/options-schema.ts';
import { anyObject, strictObject } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';

export function optionsSchema(clock: Clock) {
  // Fields that the message itself contains.
  const { from: _from, reply_to: _replyTo, headers: _headers, ...options } = letterheadFields(clock);
  return strictObject({
    ...options,
    template_id: Type.Optional(Type.String({ minLength: 1 })),
    template_data: Type.Optional(anyObject()),
    locale: Type.Optional(mailLocale),
    idempotency_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x20-\\x7e]*$' }),
    ),
  });
}

export type SubmissionOptions = Static<ReturnType<typeof optionsSchema>>;
