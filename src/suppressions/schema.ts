import { type Static, Type } from 'typebox';
import { addressField } from '../http/address-field.ts';
import { pageFields } from '../http/pagination.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { GROUP_NAME, REASONS, SOURCES } from './suppression.ts';

const reason = (description: string) => stringEnum(REASONS, { description });

const address = (description: string) => addressField({ description, examples: ['gone@example.org'] });

export const suppressionSchema = Type.Object(
  {
    id: Type.String({ description: 'Starts with `sup_`.' }),
    email: Type.String(),
    reason: reason('Why the address must not be mailed.'),
    source: stringEnum(SOURCES, { description: '`automatic` if a delivery caused it.' }),
    email_id: nullable(Type.String({ description: 'The email an automatic entry came from.' })),
    cause: nullable(Type.String({ description: 'The reason of the event an automatic entry came from.' })),
    unsubscribe_group: nullable(
      Type.String({ description: 'The mail that it stops: of this group alone, or all of it where null.' }),
    ),
    created_at: timestamp(),
  },
  { $id: 'Suppression' },
);

const GROUP_OF_OTHERS = 'only goes with the reason unsubscribe';

const unsubscribeGroup = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: GROUP_NAME.source,
  description: 'With the reason `unsubscribe`: stops mail of this group alone.',
  examples: ['product-news'],
});

export const addBody = checked(
  strictObject(
    {
      email: address('The address that must not be mailed.'),
      reason: reason('Why.'),
      unsubscribe_group: Type.Optional(unsubscribeGroup),
    },
    { $id: 'AddSuppression' },
  ),
  (body, problems) => {
    if (body.unsubscribe_group !== undefined && body.reason !== 'unsubscribe')
      problems.add('unsubscribe_group', GROUP_OF_OTHERS);
  },
);

export const suppressionsQuery = strictObject({
  ...pageFields,
  email: Type.Optional(address('Exactly this address, in any spelling of it; also one that was erased.')),
  search: Type.Optional(
    checked(
      Type.String({
        minLength: 1,
        maxLength: 320,
        description:
          'Addresses that begin or end so: `jane.d`, `@example.org`, `example.org`. At most 1,000 are found, and counted.',
        examples: ['jane.d'],
      }),
      (text, problems) => {
        if (text.trim() === '') problems.add('', 'must contain something to search for');
      },
    ),
  ),
  reason: Type.Optional(reason('Only those with this reason.')),
});

export const MAX_IMPORT = 100_000;

/** Addresses are checked during the import, line by line, so that an invalid one does not refuse the others. */
export const importBody = strictObject(
  {
    suppressions: Type.Array(
      strictObject({
        email: Type.String({ minLength: 1, maxLength: 1000, examples: ['gone@example.org'] }),
        reason: Type.Optional(reason('Why.')),
        unsubscribe_group: Type.Optional(unsubscribeGroup),
      }),
      { minItems: 1, maxItems: MAX_IMPORT },
    ),
  },
  { $id: 'ImportSuppressions' },
);

export type ImportBody = Static<typeof importBody>;

export const importQuery = strictObject({
  reason: Type.Optional(
    reason(
      'For addresses that come without one. Not given: new ones are `manual`, existing ones keep their reason.',
    ),
  ),
});

const IMPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const;

export const importSchema = Type.Object(
  {
    id: Type.String({ description: 'Starts with `imp_`.' }),
    status: stringEnum(IMPORT_STATES, {
      description: '`failed`: it could not be finished, through no fault of the list. Import it again.',
    }),
    total: Type.Integer({ description: 'How many addresses were uploaded.' }),
    processed: Type.Integer({ description: 'How many were processed: added, existing and invalid ones.' }),
    added: Type.Integer(),
    existing: Type.Integer({ description: 'On the list before, or twice in the upload.' }),
    invalid: Type.Integer(),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Of the file, or position in the JSON list, counting from 1.' }),
        field: Type.String(),
        message: Type.String(),
      }),
      { description: 'What was wrong with the invalid lines: the first 100 of them.' },
    ),
    created_at: timestamp(),
    finished_at: nullable(timestamp()),
  },
  { $id: 'SuppressionImport' },
);
