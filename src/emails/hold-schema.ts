/** The fields that show a hold on an email: in the email, in its events, and in the answer to a send. */
import { Type } from 'typebox';
import { stringEnum, timestamp } from '../http/schema.ts';

export const emailHold = Type.Object(
  {
    id: Type.String({ examples: ['hold_0c3f9a51be2d47a6c9e1'] }),
    reason: Type.String(),
    placed_by: Type.String({
      description: 'As of the hold: a user, an API key, an operator, or `guard`.',
    }),
    placed_at: timestamp(),
  },
  { $id: 'EmailHold', description: 'Of mail that is `held`: GET /holds/{id} says more.' },
);

/** Fields of an accepted email. They are present only if a hold keeps the email, so that other answers stay as they were. */
export const heldFields = {
  state: Type.Optional(
    stringEnum(['held'], {
      description: 'Only where a hold keeps the email, or some of its recipients, from being sent.',
    }),
  ),
  hold: Type.Optional(emailHold),
};
