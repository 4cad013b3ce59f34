import { type Static, Type } from 'typebox';
import { addressField } from '../http/address-field.ts';
import { pageFields } from '../http/pagination.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { GROUP_NAME, REASONS, SOURCES } from './suppression.ts';

const reason = (description: string) => stringEnum(REASONS, { description });

const address = (description: string) => addressField({ description, examples: ['gone@example.org'] });

export const suppressionSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the suppression. Starts with `sup_`.' }),
    email: Type.String(),
    reason: reason('Why the address must not receive mail.'),
    source: stringEnum(SOURCES, {
      description: 'Origin of the suppression. `automatic`: an event of a delivery caused it.',
    }),
    email_id: nullable(
      Type.String({ description: 'Id of the email that caused an automatic suppression. Null otherwise.' }),
    ),
    cause: nullable(
      Type.String({
        description: 'Reason code of the event that caused an automatic suppression. Null otherwise.',
      }),
    ),
    unsubscribe_group: nullable(
      Type.String({ description: 'Group of mail that the suppression stops. Null means all mail.' }),
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
  description: 'Group of mail to stop, for the reason `unsubscribe`. By default all mail is stopped.',
  examples: ['product-news'],
});

export const addBody = checked(
  strictObject(
    {
      email: address('Address that must not receive mail.'),
      reason: reason('Why the address must not receive mail.'),
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
  email: Type.Optional(address('Only this address, in any spelling. It can be an erased address.')),
  search: Type.Optional(
    checked(
      Type.String({
        minLength: 1,
        maxLength: 320,
        description:
          'Only addresses that begin or end with this text, such as `jane.d`, `@example.org` or `example.org`. At most 1,000 are found and counted.',
        examples: ['jane.d'],
      }),
      (text, problems) => {
        if (text.trim() === '') problems.add('', 'must contain something to search for');
      },
    ),
  ),
  reason: Type.Optional(reason('Only suppressions with this reason.')),
});

export const MAX_IMPORT = 100_000;

/** Addresses are checked during the import, line by line, so that an invalid one does not refuse the others. */
export const importBody = strictObject(
  {
    suppressions: Type.Array(
      strictObject({
        email: Type.String({ minLength: 1, maxLength: 1000, examples: ['gone@example.org'] }),
        reason: Type.Optional(reason('Why the address must not receive mail.')),
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
      'Reason for addresses without their own. By default new addresses get `manual` and existing addresses keep their reason.',
    ),
  ),
});

const IMPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const;

export const importSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the import. Starts with `imp_`.' }),
    status: stringEnum(IMPORT_STATES, {
      description:
        'State of the import. `failed`: an internal error stopped the import. Import the list again.',
    }),
    total: Type.Integer({ description: 'Number of uploaded addresses.' }),
    processed: Type.Integer({ description: 'Number of processed addresses: added, existing and invalid.' }),
    added: Type.Integer({ description: 'Number of addresses that were added to the list.' }),
    existing: Type.Integer({
      description: 'Number of addresses that were already on the list or that occur twice in the upload.',
    }),
    invalid: Type.Integer({ description: 'Number of invalid lines, which were skipped.' }),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line of the file, or position in the JSON list, from 1.' }),
        field: Type.String(),
        message: Type.String(),
      }),
      { description: 'Problems of the first 100 invalid lines.' },
    ),
    created_at: timestamp(),
    finished_at: nullable(timestamp()),
  },
  { $id: 'SuppressionImport' },
);
