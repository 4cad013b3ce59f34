/**
 * An alias can replace a template's id anywhere. It never has the form of an id, so no query is needed to distinguish
 * the two.
 */

const ID_START = 'tmpl_';
const ALIAS = /^[A-Za-z0-9._-]{1,64}$/;

export function isTemplateId(idOrAlias: string): boolean {
  return idOrAlias.startsWith(ID_START);
}

export function aliasProblem(alias: string): string | null {
  if (!ALIAS.test(alias)) return 'must be 1 to 64 of the characters A-Z a-z 0-9 . _ -';
  if (isTemplateId(alias)) return `must not begin with ${ID_START}, as ids do`;
  if (alias === '.' || alias === '..') return 'must not be . or .., which mean something else in a path';
  return null;
}
