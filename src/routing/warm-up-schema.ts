/** The request and response schemas of warm-up. */
import { Type } from 'typebox';
import { mapOf, nullable, strictObject, stringEnum } from '../http/schema.ts';
import { OVER_ALLOWANCE } from './warm-up.ts';

const steps = Type.Array(Type.Integer({ minimum: 1, maximum: 100_000_000 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Maximum number of emails per day for each step. After the last step there is no limit.',
});

export const wantedWarmUp = strictObject(
  {
    since: Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
      description: 'First UTC day of the warm-up. Mail sent before this day does not count.',
      examples: ['2026-11-17'],
    }),
    curve: Type.Optional(steps),
    curves: Type.Optional(
      mapOf(steps, {
        maxProperties: 50,
        description:
          'Curves for providers, named as in `GET /sites`. For these providers they replace `curve`.',
      }),
    ),
    over: Type.Optional(
      stringEnum(OVER_ALLOWANCE, {
        description:
          'Handling of mail above the daily limit. `fallback`: use the next choice or step of the rule. `wait`: queue the mail until the next day.',
      }),
    ),
  },
  {
    $id: 'WarmUp',
    description:
      'Warm-up of a new sending address: a daily limit that rises one step for each day without problems. Deferrals and complaints stop the rise or lower the limit.',
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
    provider: nullable(
      Type.String({
        description: 'Provider that the progress is about. Null if the address has sent nothing yet.',
      }),
    ),
    since: Type.String(),
    over: stringEnum(OVER_ALLOWANCE),
    step: Type.Integer({ description: 'Current step of the curve, from 1.' }),
    curve: Type.Array(Type.Integer()),
    allowed: nullable(
      Type.Integer({ description: 'Maximum number of emails today. Null when the warm-up is complete.' }),
    ),
    used: Type.Integer({ description: 'Number of emails sent today.' }),
    message: Type.String({ description: 'Progress in words.' }),
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        allowed: nullable(count),
        used: count,
        delivered: count,
        objected: Type.Integer({
          description: 'Number of emails that were refused or deferred because of the sender.',
        }),
        complained: count,
      }),
    ),
  },
  { $id: 'WarmUpProgress' },
);
