/** Response schemas: `{ data }`, `{ data, pagination }` and the error envelope. */
import { type TSchema, Type } from 'typebox';
import { ERROR_CODES } from './errors.ts';
import { paginationSchema } from './pagination.ts';
import { stringEnum } from './schema.ts';

export function dataOf<T extends TSchema>(schema: T, description = 'Success') {
  return Type.Object({ data: schema }, { description });
}

export function pageOf<T extends TSchema>(item: T, description = 'A page of results') {
  return Type.Object({ data: Type.Array(item), pagination: paginationSchema }, { description });
}

/** `{ id, deleted: true }`, what every DELETE answers. */
export const deletedSchema = Type.Object(
  { id: Type.String(), deleted: Type.Boolean({ description: 'Always true.' }) },
  { $id: 'Deleted' },
);

export const errorSchema = Type.Object(
  {
    error: Type.Object({
      code: stringEnum(ERROR_CODES),
      message: Type.String({ description: 'Explanation of the error in words.' }),
      details: Type.Array(
        Type.Object({
          field: Type.String({ description: 'Path of the field, such as `to[0].email`.' }),
          message: Type.String(),
        }),
        { description: 'All problems that were found. Empty if there is nothing to list.' },
      ),
    }),
  },
  { $id: 'Error' },
);
