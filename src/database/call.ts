/** Calls of Postrider's PostgreSQL functions. Some have dozens of parameters, so arguments are passed by name. */

/** `SELECT f(a => $1, b => $2)`, where `start` is the text before the parenthesis. */
export function call(start: string, names: readonly string[]): string {
  return `${start}(${names.map((name, index) => `${name} => $${index + 1}`).join(', ')})`;
}

/** The arguments of a call, in the order of its parameters; null for missing ones. */
export function inOrder<Name extends string>(
  names: readonly Name[],
  given: Readonly<Partial<Record<Name, unknown>>>,
): unknown[] {
  return names.map((name) => given[name]);
}

/** One value per row; null if no row has one, which costs nothing to send or to read. */
export function optionalColumn<Row>(
  rows: readonly Row[],
  read: (row: Row) => unknown,
): readonly unknown[] | null {
  const values = rows.map(read);
  return values.some((value) => value !== null) ? values : null;
}

/** The values of each named field over all rows, as arrays for `unnest`. */
export function columns<Row, Name extends keyof Row>(
  rows: readonly Row[],
  ...names: readonly Name[]
): Row[Name][][] {
  return names.map((name) => rows.map((row) => row[name]));
}
