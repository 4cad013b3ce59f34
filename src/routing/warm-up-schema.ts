/** The request and response schemas of warm-up. */
import { Type } from 'typebox';
import { mapOf, nullable, strictObject, stringEnum } from '../http/schema.ts';
import { OVER_ALLOWANCE } from './warm-up.ts';

const steps = Type.Array(Type.Integer({ minimum: 1, maximum: 100_000_000 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Mails a day, step by step. Behind the last step nothing is limited.',
});

export const wantedWarmUp = strictObject(
  {
    since: Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
      description: 'The first day, in UTC. Mail sent before this day does not count.',
      examples: ['2026-11-17'],
    }),
    curve: Type.Optional(steps),
    curves: Type.Optional(
      mapOf(steps, { maxProperties: 50, description: 'Instead, by provider, as GET /sites names it.' }),
    ),
    over: Type.Optional(
      stringEnum(OVER_ALLOWANCE, {
        description:
          'Handling of mail above the limit of the day: `fallback` uses the next choice or step of the rule, `wait` queues the mail until the next day.',
      }),
    ),
  },
  {
    $id: 'WarmUp',
    description:
      'One step for every day without problems; deferrals and complaints stop the rise or lower the limit.',
  },
);

export const shownCurves = Type.Object({
  curve: Type.Array(Type.Integer()),
  curves: Type.Record(Type.String(), Type.Array(Type.Integer())),
});

export const shownWarmUp = Type.Object({
  since: Type.String(),
  ...shownCurves.properties,
  over: stringEnum(OVER_ALLOWANCE),
});

const count = Type.Integer();

export const warmUpEntry = Type.Object(
  {
    transport: Type.String(),
    address: Type.String(),
    provider: nullable(Type.String({ description: 'Null if the address has sent nothing yet.' })),
    since: Type.String(),
    over: stringEnum(OVER_ALLOWANCE),
    step: Type.Integer({ description: 'Of the curve, counting from 1.' }),
    curve: Type.Array(Type.Integer()),
    allowed: nullable(Type.Integer({ description: 'Emails today; null when the warm-up is complete.' })),
    used: Type.Integer({ description: 'Today, so far.' }),
    message: Type.String({ description: 'In a sentence.' }),
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        allowed: nullable(count),
        used: count,
        delivered: count,
        objected: Type.Integer({ description: 'Refused or deferred because of the sender.' }),
        complained: count,
      }),
    ),
  },
  { $id: 'WarmUpProgress' },
);
