/** An address that is called otherwise from now on, and how statements find it inside longer texts. */
import type { EmailAddress } from '../protocols/message/address.ts';
import { type Sql, sql } from './sql.ts';

export interface RenamedAddress {
  readonly email: EmailAddress;
  readonly shownAs: EmailAddress;
}

/** What may stand in an address: `ada@example.org` is not to be found in `nada@example.org`, nor in front of `.uk`. */
const NOT_BEFORE = '(?<![[:alnum:]._+-])';
const NOT_BEHIND = '(?![[:alnum:]-]|\\.[[:alnum:]])';

/** A regular expression of PostgreSQL, for `~*` and `regexp_replace(…, 'gi')`. */
export function patternOf({ email }: { readonly email: string }): string {
  return NOT_BEFORE + email.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + NOT_BEHIND;
}

/** The same inside the text of a JSON value, where a quote and a backslash are written with one more. */
export function patternInJson({ email }: Pick<RenamedAddress, 'email'>): string {
  return patternOf({ email: JSON.stringify(email).slice(1, -1) });
}

/** Calls an address otherwise, wherever a table of one organization has it. */
export type RenameIn = (tx: Sql, organizationId: string, renamed: RenamedAddress) => Promise<void>;

/** In a column of text and one of JSON; `also` is set in the same rows. The names stand in the code, never in a request. */
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
