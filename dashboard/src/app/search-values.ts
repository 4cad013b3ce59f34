/** Reads what an address says after its question mark, which may be edited by hand. */
type Reader<Value> = (value: unknown) => Value | undefined;

/** The router reads `?search=1042` as a number. */
export const text: Reader<string> = (value) =>
  /^(string|number|boolean)$/.test(typeof value) && value !== '' ? String(value) : undefined;

export const count: Reader<number> = (value) =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;

export function oneOf<Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (value) => values.find((one) => one === value);
}

/** A value that means nothing becomes undefined, because the router keeps a value that is left out. */
export function searchOf<Shape extends object>(
  readers: { readonly [Name in keyof Shape]: Reader<Shape[Name]> },
) {
  const known = Object.entries(readers) as [string, Reader<unknown>][];
  return (search: Record<string, unknown>) =>
    Object.fromEntries(
      known.filter(([name]) => name in search).map(([name, read]) => [name, read(search[name])]),
    ) as { [Name in keyof Shape]?: Shape[Name] };
}
