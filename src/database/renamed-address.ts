/** An address that is called otherwise from now on, and how statements find it inside longer texts. */

export interface RenamedAddress {
  /** In canonical form. */
  readonly email: string;
  readonly shownAs: string;
}

/** What may stand in an address: `ada@example.org` is not to be found in `nada@example.org`, nor in front of `.uk`. */
const NOT_BEFORE = '(?<![[:alnum:]._+-])';
const NOT_BEHIND = '(?![[:alnum:]-]|\\.[[:alnum:]])';

/** A regular expression of PostgreSQL, for `~*` and `regexp_replace(…, 'gi')`. */
export function patternOf({ email }: Pick<RenamedAddress, 'email'>): string {
  return NOT_BEFORE + email.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + NOT_BEHIND;
}

/** The same inside the text of a JSON value, where a quote and a backslash are written with one more. */
export function patternInJson({ email }: Pick<RenamedAddress, 'email'>): string {
  return patternOf({ email: JSON.stringify(email).slice(1, -1) });
}
