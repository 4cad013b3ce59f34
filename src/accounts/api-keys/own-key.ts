/** Resolves an API key named in a request: a filter for emails, or the subject of a hold. */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import { Problems } from '../../runtime/problems.ts';
import { findKey } from './store.ts';

export function keyField(description: string) {
  return Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description, examples: ['key_0c3f9a51be2d47a6c9e1'] }),
  );
}

/**
 * Accepts revoked keys. For an unknown key it throws, because an empty list would suggest that the key sent nothing.
 */
export async function checkOwnKey(
  db: Sql,
  organizationId: string,
  field: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined || (await findKey(db, { organizationId }, id)) !== undefined) return;
  const message = 'is not the id of an API key of this organization; GET /api-keys lists them';
  throw new Problems().add(field, message).toError();
}
