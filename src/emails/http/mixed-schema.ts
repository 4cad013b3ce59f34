/** The request and response schemas of a mixed batch: unrelated emails, each with a result of its own. */
import { Type } from 'typebox';
import { errorSchema } from '../../http/envelope.ts';
import { judgedApart, strictObject } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { heldFields } from '../hold-schema.ts';
import { sendBody } from '../schema.ts';

export const MAX_MIXED = 100;

export function mixedBody(clock: Clock) {
  return strictObject(
    {
      emails: Type.Array(judgedApart(sendBody(clock)), {
        minItems: 1,
        maxItems: MAX_MIXED,
        description: 'Each as the body of `POST /emails/send`.',
      }),
      all_or_none: Type.Optional(
        Type.Boolean({
          description: 'Whether one email that is refused refuses all; by default only that one is.',
        }),
      ),
    },
    { $id: 'SendMixedBatch', examples: [{ emails: [EXAMPLE, { ...EXAMPLE, ...FOR_GRACE }] }] },
  );
}

const EXAMPLE = {
  from: { email: 'hello@sandbox.test' },
  to: [{ email: 'ada@example.org' }],
  subject: 'Your receipt',
  text: 'Thank you, Ada.',
};
const FOR_GRACE = {
  to: [{ email: 'grace@example.org' }],
  subject: 'Your invoice',
  text: 'Dear Grace, your invoice.',
};

export const mixedResult = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer(),
    accepted: Type.Integer(),
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The position in `emails`, from 0.' }),
        message_id: Type.Optional(
          Type.String({ description: 'Of an accepted email: the id to ask about it with.' }),
        ),
        ...heldFields,
        error: Type.Optional(errorSchema.properties.error),
      }),
      { description: 'One for each email, in their order.' },
    ),
  },
  { $id: 'MixedBatchResult' },
);
