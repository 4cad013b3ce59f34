/** One more than an email's lists may hold: longer lists are still refused, and cost little to translate. */
export const MORE_THAN_ANY = 101;

export function startOf<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, MORE_THAN_ANY);
}
