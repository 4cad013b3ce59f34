import { Type } from 'typebox';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { CHECK_STATUSES } from './checks/check.ts';
import { PROVIDER_TYPES } from './lists.ts';
import { type SignalName, VALIDATION_VERDICTS, WEIGHTS } from './score.ts';

export const MAX_BATCH = 100;

/** Any string, because validity is what the check determines. */
const asked = Type.String({ description: 'The address to check.', examples: ['jane@gmial.com'] });

export const validateBody = strictObject({ email: asked });

export const validateBatchBody = strictObject({
  emails: Type.Array(asked, { minItems: 1, maxItems: MAX_BATCH, description: 'Duplicates are allowed.' }),
});

const found = {
  status: stringEnum(CHECK_STATUSES),
  reason: Type.String({ description: 'A code for programs.' }),
  message: Type.String({ description: 'A sentence for people.' }),
};
const plainCheck = Type.Object(found);

const checksSchema = Type.Object({
  syntax: Type.Object({
    ...found,
    similar_domain: Type.Optional(
      Type.String({ description: 'A well-known domain this one can be mistaken for.' }),
    ),
  }),
  mx: Type.Object({
    ...found,
    records: Type.Array(Type.Object({ priority: Type.Integer(), exchange: Type.String() }), {
      description: 'The preferred host first.',
    }),
  }),
  dns: Type.Object({ ...found, addresses: Type.Array(Type.String()) }),
  disposable: plainCheck,
  role: plainCheck,
  typo: Type.Object({ ...found, suggestions: Type.Array(Type.Object({ suggested: Type.String() })) }),
  free_provider: Type.Object({
    ...found,
    provider_type: stringEnum(PROVIDER_TYPES),
  }),
  random: Type.Object({
    ...found,
    entropy_bits_per_char: nullable(
      Type.Number({ description: 'Cross-entropy of the local part under a model of names and words.' }),
    ),
  }),
});

const signalSchema = Type.Object({
  signal: stringEnum(Object.keys(WEIGHTS) as SignalName[]),
  check: Type.String({ description: 'The check it came from; `history`: past mail of your organization.' }),
  kind: stringEnum(['floor', 'soft'], {
    description: 'A floor is a minimum for the score; soft signals add up.',
  }),
  weight: Type.Number(),
});

export const validationResult = Type.Object(
  {
    email: Type.String({ description: 'The address as it was given.' }),
    verdict: stringEnum(VALIDATION_VERDICTS),
    risk_score: Type.Number({ description: 'From 0 to 1, two decimals. 0.3 is risky, 0.7 undeliverable.' }),
    checks: checksSchema,
    suggestions: Type.Array(Type.String(), { description: 'Full addresses that were probably meant.' }),
    signals: Type.Array(signalSchema, { description: 'What made up the score.' }),
    normalized: nullable(
      Type.String({
        description: 'The same for two spellings of one mailbox; null if it is not an address.',
      }),
    ),
    subaddress: nullable(Type.String({ description: 'The part after the + and before the @.' })),
    list_version: Type.String({ description: 'Changes when the built-in lists do.' }),
    timestamp: timestamp(),
  },
  { $id: 'ValidationResult' },
);
