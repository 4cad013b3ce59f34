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
      description: 'The first day, in UTC. What was sent before does not count.',
      examples: ['2026-11-17'],
    }),
    curve: Type.Optional(steps),
    curves: Type.Optional(
      mapOf(steps, { maxProperties: 50, description: 'Instead, by provider, as GET /sites names it.' }),
    ),
    over: Type.Optional(
      stringEnum(OVER_ALLOWANCE, {
        description:
          'What becomes of mail that is too much for today: `fallback` takes the next choice or step of the rule, `wait` waits for tomorrow.',
      }),
    ),
  },
  {
    $id: 'WarmUp',
    description: 'A step for every day that went well; deferrals and complaints hold it or bend it down.',
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
    provider: nullable(Type.String({ description: 'Null where it has sent nothing yet.' })),
    since: Type.String(),
    over: stringEnum(OVER_ALLOWANCE),
    step: Type.Integer({ description: 'Of the curve, counting from 1.' }),
    curve: Type.Array(Type.Integer()),
    allowed: nullable(Type.Integer({ description: 'Mails today; null where it is warm.' })),
    used: Type.Integer({ description: 'Today, so far.' }),
    message: Type.String({ description: 'In a sentence.' }),
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        allowed: nullable(count),
        used: count,
        delivered: count,
        objected: Type.Integer({ description: 'Refused, or put off, because of who sends.' }),
        complained: count,
      }),
    ),
  },
  { $id: 'WarmUpProgress' },
);
