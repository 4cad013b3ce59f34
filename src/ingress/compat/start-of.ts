/** More than any list of an email may have: one that is longer is still refused, and costs nothing to translate. */
export const MORE_THAN_ANY = 101;

export function startOf<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, MORE_THAN_ANY);
}
