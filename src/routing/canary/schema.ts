/** The request and response schemas of canaries. */
import { Type } from 'typebox';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { RATES } from './plan.ts';
import { STEP_KINDS } from './steps.ts';

const NAME = '^[a-z0-9][a-z0-9-]{0,39}$';

const rate = (what: string) =>
  Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: `Of what is sent; ${what} unless given.` }),
  );

export const wantedCanary = strictObject(
  {
    name: Type.String({
      pattern: NAME,
      description: 'The name identifies the canary: a canary with another name starts from the beginning.',
      examples: ['off-acme'],
    }),
    to: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The transport that mail is moved to, or `default`. The rule’s steps are the old way.',
      examples: ['pool'],
    }),
    percents: Type.Optional(
      Type.Array(Type.Number({ minimum: 0.01, maximum: 100 }), {
        minItems: 1,
        maxItems: 50,
        description:
          'How much of a provider’s mail goes the new way, step by step; 1, 5, 10, 25, 50, 100 unless given.',
      }),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 43_200,
        description: 'Minimum duration of a step in minutes; 60 unless given.',
      }),
    ),
    mails: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description:
          'Minimum number of emails that a step sends through the new transport; 100 unless given.',
      }),
    ),
    worse: Type.Optional(
      strictObject(
        { deferred: rate('0.05'), bounced: rate('0.02'), complained: rate('0.001') },
        { description: 'How much larger a rate may be on the new way than on the old one in the same time.' },
      ),
    ),
  },
  {
    $id: 'Canary',
    description:
      'Moves mail of the rule to another transport, by percent and provider. The share grows while the results are no worse than before, and falls to 0 when they are worse.',
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

const percent = Type.Number({ description: 'Of the mail to the provider; from 0 to 100.' });

export const explainedCanary = Type.Object(
  { name: Type.String(), to: Type.String(), percent },
  { description: 'What moves mail of the rule, and how much of it at this moment.' },
);

const wayCounts = Type.Object(
  {
    sent: Type.Integer({ description: 'Mails at their first attempt.' }),
    deferred: Type.Integer({
      description:
        'Put off at the first attempt, or sent the old way because the new one could not be taken.',
    }),
    bounced: Type.Integer({ description: 'At once, or by a report that came later.' }),
    complained: Type.Integer(),
  },
  { $id: 'CanaryCounts' },
);

export const canaryStepFields = {
  canary: Type.String(),
  transport: Type.String({ description: 'Where mail is moved to.' }),
  provider: nullable(Type.String({ description: 'Null where it was a step of all of them.' })),
  kind: stringEnum(STEP_KINDS, {
    description: '`rise` and `fall` are automatic steps, the others are steps of operators.',
  }),
  from_percent: nullable(Type.Number()),
  to_percent: nullable(Type.Number()),
  message: Type.String({ description: 'A sentence for people.' }),
  numbers: nullable(
    Type.Object(
      {
        old: wayCounts,
        new: wayCounts,
        rate: nullable(stringEnum(RATES, { description: 'Of a fall: the one that was too large.' })),
        worse: nullable(Type.Number({ description: 'How much larger it might have been.' })),
      },
      { description: 'What it was decided by; null where people did it.' },
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
    since: nullable(timestamp({ description: 'Null where it has not begun.' })),
    next_percent: nullable(Type.Number({ description: 'Null at the last step.' })),
    rests_until: nullable(timestamp({ description: 'After a fall: when it begins anew.' })),
    falls: Type.Integer({ description: 'Since it last reached the end, or was resumed.' }),
    paused: Type.Boolean(),
    message: Type.String({ description: 'In a sentence.' }),
    old: wayCounts,
    new: wayCounts,
  },
  {
    $id: 'CanaryShare',
    description: '`old` and `new`: what became of mail on both ways since this step began.',
  },
);

export const canaryOverview = Type.Object(
  {
    canaries: Type.Array(
      Type.Object(
        {
          ...shownCanary.properties,
          rule: Type.Integer({ description: 'Counting from 1.' }),
          paused_at: nullable(timestamp()),
          shares: Type.Array(canaryShare, { description: 'Of each provider that mail of the rule went to.' }),
        },
        { $id: 'CanaryProgress' },
      ),
    ),
    steps: Type.Array(canaryStep, {
      description: 'The last 100 of all canaries, the newest first; those that are over, too.',
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
      description: 'Only mail to this one; all of them unless given.',
    }),
  ),
});
