/** Calls of our own functions. Some have dozens of parameters, so these go by name. */

/** `SELECT f(a => $1, b => $2)`, where `start` is all before the parenthesis. */
export function call(start: string, names: readonly string[]): string {
  return `${start}(${names.map((name, index) => `${name} => $${index + 1}`).join(', ')})`;
}

/** What the parameters of such a call are given, in their order; null where nothing is. */
export function inOrder<Name extends string>(
  names: readonly Name[],
  given: Readonly<Partial<Record<Name, unknown>>>,
): unknown[] {
  return names.map((name) => given[name]);
}

/** A value of each row; null where none has one, which costs nothing to send or to read. */
export function optionalColumn<Row>(
  rows: readonly Row[],
  read: (row: Row) => unknown,
): readonly unknown[] | null {
  const values = rows.map(read);
  return values.some((value) => value !== null) ? values : null;
}
