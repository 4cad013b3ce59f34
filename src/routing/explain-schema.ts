/** The request and response schemas of the explanation of a route. */
import { Type } from 'typebox';
import { nullable, strictObject, stringEnum } from '../http/schema.ts';
import { SITE_STATES } from '../sites/site-view.ts';
import { explainedCanary } from './canary/schema.ts';

export const explainQuery = strictObject({
  to: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Address or domain of the recipient.',
    examples: ['ada@example.org'],
  }),
  from: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Address or domain of the sender.' }),
  ),
  organization: Type.Optional(
    Type.String({ maxLength: 100, description: 'Id of the sending organization. The default is your own.' }),
  ),
  stream: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Stream of the mail.' })),
  tag: Type.Optional(
    Type.String({ minLength: 1, maxLength: 600, description: 'Tag of the mail, as `name:value`.' }),
  ),
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Provider of the recipient, instead of the one that DNS shows.',
    }),
  ),
});

const explainedChoice = Type.Object({
  transport: Type.String(),
  source: nullable(Type.String()),
  share: Type.Number({ description: 'Share of the mail of this step by weight, from 0 to 1.' }),
  share_now: Type.Number({
    description: 'Share of all mail of the rule that uses this transport now, from 0 to 1.',
  }),
  state: stringEnum([...SITE_STATES, 'absent', 'spent'], {
    description:
      'State of the transport or address, as for a site. `absent`: no running worker has the address on its machine. `spent`: the address has reached the limit of its warm-up for today.',
  }),
  message: Type.String(),
});

export const routeExplanation = Type.Object(
  {
    message: Type.String({ description: 'Which route the mail would take and why, in words.' }),
    mode: stringEnum(['sandbox', 'live']),
    provider: nullable(
      Type.String({ description: 'Provider of the recipient’s mail hosts. Null if it is not known.' }),
    ),
    rule: nullable(
      Type.Integer({ description: 'Number of the rule that matches, from 1. Null if no rule matches.' }),
    ),
    rules: Type.Array(
      Type.Object({
        rule: Type.Integer(),
        name: nullable(Type.String()),
        matches: Type.Boolean(),
        why: Type.String({
          description: 'Conditions that the mail meets, or the one that it does not meet.',
        }),
      }),
      { description: 'Rules in order, up to the one that matches.' },
    ),
    canary: nullable(explainedCanary),
    steps: Type.Array(
      Type.Object({
        step: Type.Integer({
          description: 'Number of the step, from 1. 0 is the new transport of a canary.',
        }),
        in_use: Type.Boolean({ description: 'Whether mail uses the step now.' }),
        choices: Type.Array(explainedChoice),
      }),
    ),
  },
  { $id: 'RouteExplanation' },
);
