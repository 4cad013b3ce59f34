/** The request and response schemas of canaries. */
import { Type } from 'typebox';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { RATES } from './plan.ts';
import { STEP_KINDS } from './steps.ts';

const NAME = '^[a-z0-9][a-z0-9-]{0,39}$';

const rate = (what: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `Tolerance as a share of the sent mail, from 0 to 1. The default is ${what}.`,
    }),
  );

export const wantedCanary = strictObject(
  {
    name: Type.String({
      pattern: NAME,
      description:
        'Name of the canary: lower-case letters, digits and hyphens. It identifies the canary; a canary with a different name starts from the beginning.',
      examples: ['off-acme'],
    }),
    to: Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'Name of the transport that mail is moved to, or `default`. The steps of the rule are the old route.',
      examples: ['pool'],
    }),
    percents: Type.Optional(
      Type.Array(Type.Number({ minimum: 0.01, maximum: 100 }), {
        minItems: 1,
        maxItems: 50,
        description:
          'Percentages of a provider’s mail that use the new transport, step by step. The default is 1, 5, 10, 25, 50, 100.',
      }),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 43_200,
        description: 'Minimum duration of a step in minutes. The default is 60.',
      }),
    ),
    mails: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description:
          'Minimum number of emails that a step sends through the new transport. The default is 100.',
      }),
    ),
    worse: Type.Optional(
      strictObject(
        { deferred: rate('0.05'), bounced: rate('0.02'), complained: rate('0.001') },
        {
          description:
            'By how much a rate on the new transport may exceed that on the old route in the same period.',
        },
      ),
    ),
  },
  {
    $id: 'Canary',
    description:
      'Moves mail of the rule to another transport step by step, for each provider separately. The percentage rises while the results are no worse than on the old route, and falls to 0 when they are worse.',
  },
);

const worse = Type.Object({ deferred: Type.Number(), bounced: Type.Number(), complained: Type.Number() });

export const shownPlan = Type.Object({
  percents: Type.Array(Type.Number()),
  minutes: Type.Number(),
  mails: Type.Integer(),
  worse,
});

export const shownCanary = Type.Object({
  name: Type.String(),
  to: Type.String(),
  ...shownPlan.properties,
});

const percent = Type.Number({
  description: 'Percentage of the mail to the provider that uses the new transport, from 0 to 100.',
});

export const explainedCanary = Type.Object(
  { name: Type.String(), to: Type.String(), percent },
  { description: 'Canary of the rule, with its percentage now. Null if the rule has none.' },
);

const wayCounts = Type.Object(
  {
    sent: Type.Integer({ description: 'Number of emails at their first attempt.' }),
    deferred: Type.Integer({
      description:
        'Number of emails that were deferred at the first attempt, or that used the old route because the new transport was unavailable.',
    }),
    bounced: Type.Integer({ description: 'Number of emails that bounced, at once or by a later report.' }),
    complained: Type.Integer(),
  },
  { $id: 'CanaryCounts' },
);

export const canaryStepFields = {
  canary: Type.String(),
  transport: Type.String({ description: 'Name of the transport that mail is moved to.' }),
  provider: nullable(
    Type.String({ description: 'Provider that the step is about. Null if the step was for all providers.' }),
  ),
  kind: stringEnum(STEP_KINDS, {
    description: 'Kind of the step. `rise` and `fall` are automatic; the others are actions of operators.',
  }),
  from_percent: nullable(Type.Number()),
  to_percent: nullable(Type.Number()),
  message: Type.String({ description: 'Explanation of the step in words.' }),
  numbers: nullable(
    Type.Object(
      {
        old: wayCounts,
        new: wayCounts,
        rate: nullable(
          stringEnum(RATES, { description: 'Rate that was too high, for a fall. Null otherwise.' }),
        ),
        worse: nullable(
          Type.Number({ description: 'Tolerance that the rate exceeded, for a fall. Null otherwise.' }),
        ),
      },
      { description: 'Numbers that the step was decided by. Null for steps of operators.' },
    ),
  ),
};

const canaryStep = Type.Object(
  { id: Type.String(), at: timestamp(), ...canaryStepFields },
  { $id: 'CanaryStep' },
);

const canaryShare = Type.Object(
  {
    provider: Type.String(),
    percent,
    since: nullable(
      timestamp({ description: 'Time at which the current step began. Null if it has not begun.' }),
    ),
    next_percent: nullable(
      Type.Number({ description: 'Percentage of the next step. Null at the last step.' }),
    ),
    rests_until: nullable(
      timestamp({ description: 'Time at which the canary starts again after a fall. Null otherwise.' }),
    ),
    falls: Type.Integer({
      description: 'Number of falls since the canary last reached its last step or was resumed.',
    }),
    paused: Type.Boolean(),
    message: Type.String({ description: 'Progress in words.' }),
    old: wayCounts,
    new: wayCounts,
  },
  {
    $id: 'CanaryShare',
    description:
      'Progress of a canary at one provider. `old` and `new` count the mail on the old route and the new transport since the step began.',
  },
);

export const canaryOverview = Type.Object(
  {
    canaries: Type.Array(
      Type.Object(
        {
          ...shownCanary.properties,
          rule: Type.Integer({ description: 'Number of the rule in the route table, from 1.' }),
          paused_at: nullable(timestamp()),
          shares: Type.Array(canaryShare, {
            description: 'Progress for each provider that mail of the rule went to.',
          }),
        },
        { $id: 'CanaryProgress' },
      ),
    ),
    steps: Type.Array(canaryStep, {
      description: 'The last 100 steps of all canaries, including finished ones, newest first.',
    }),
  },
  { $id: 'CanaryBoard' },
);

export const canaryParams = Type.Object({ name: Type.String() });

export const canaryQuery = strictObject({
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Only mail to this provider. The default is all providers.',
    }),
  ),
});
