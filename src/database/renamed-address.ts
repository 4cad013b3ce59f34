/** The renaming of an address, and how statements find the address inside longer texts. */
import type { EmailAddress } from '../protocols/message/address.ts';
import { type Sql, sql } from './sql.ts';

export interface RenamedAddress {
  readonly email: EmailAddress;
  readonly shownAs: EmailAddress;
}

/** Characters of an address: `ada@example.org` must not match inside `nada@example.org`, nor before `.uk`. */
const NOT_BEFORE = '(?<![[:alnum:]._+-])';
const NOT_BEHIND = '(?![[:alnum:]-]|\\.[[:alnum:]])';

/** A PostgreSQL regular expression, for `~*` and `regexp_replace(…, 'gi')`. */
export function patternOf({ email }: { readonly email: string }): string {
  return NOT_BEFORE + email.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + NOT_BEHIND;
}

/** The same for the text of a JSON value, where a quote and a backslash are escaped once more. */
export function patternInJson({ email }: Pick<RenamedAddress, 'email'>): string {
  return patternOf({ email: JSON.stringify(email).slice(1, -1) });
}

export type RenameIn = (tx: Sql, organizationId: string, renamed: RenamedAddress) => Promise<void>;

/**
 * Renames in a text column and a JSON column; `also` is set in the same rows. The names are constants, never from a request.
 */
export function renameIn(
  home: 'control' | 'cell',
  table: string,
  text: string,
  json: string,
  also = '',
): RenameIn {
  const rename = sql(
    `${table}.rename`,
    `UPDATE ${table} SET ${text} = regexp_replace(${text}, $2, $4, 'gi'),
       ${json} = regexp_replace(${json}::text, $3, $4, 'gi')::jsonb${also === '' ? '' : `, ${also}`}
     WHERE organization_id = $1 AND (${text} ~* $2 OR ${json}::text ~* $3)`,
    { home, organization: '$1' },
  );
  return async (tx, organizationId, renamed) => {
    await tx.exec(rename, [organizationId, patternOf(renamed), patternInJson(renamed), renamed.shownAs]);
  };
}
