/** Schemas of feedback loops. */
import { Type } from 'typebox';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { LOOP_STATES } from './checklist.ts';
import { FEEDBACK_LOOPS } from './loops.ts';

const NAMES = FEEDBACK_LOOPS.map(({ name }) => name);

export const loopParams = Type.Object({
  loop: stringEnum(NAMES, { description: 'Which loop.', examples: ['yahoo_cfl'] }),
  subject: Type.String({
    description: 'The domain or address that is enrolled.',
    examples: ['sandbox.test'],
  }),
});

export const enrolBody = strictObject(
  {
    enrolled: Type.Boolean({ description: 'Whether you have enrolled it there. Providers do not tell.' }),
  },
  { $id: 'FeedbackLoopEnrolment', examples: [{ enrolled: true }] },
);

export const feedbackLoop = Type.Object(
  {
    loop: stringEnum(NAMES),
    title: Type.String(),
    provider: Type.String({ description: 'As in GET /stats/deliverability.' }),
    subject: Type.Object({
      kind: stringEnum(['domain', 'address']),
      value: Type.String({
        description: 'A domain of yours; for operators also an address that mail leaves from.',
      }),
    }),
    state: stringEnum(LOOP_STATES, {
      description:
        '`missing`: nobody said that it is enrolled. `enrolled`: somebody did. `working`: complaints have come in.',
    }),
    message: Type.String({ description: 'The state in a sentence.' }),
    url: Type.String({ description: 'Where to enroll.' }),
    steps: Type.Array(Type.String(), { description: 'What to do there.' }),
    enrolled_at: nullable(timestamp()),
    enrolled_by: nullable(Type.String()),
    last_complaint_at: nullable(
      timestamp({ description: 'The hour in which the provider last told of a complaint, within 40 days.' }),
    ),
  },
  { $id: 'FeedbackLoop' },
);
