/** One line of the verdict: what was looked for, and what was found. */
export interface Finding {
  readonly name: string;
  readonly found: readonly string[];
  /** False where it is told, but held against nobody. */
  readonly mustBeNone: boolean;
}

export function finding(name: string, found: readonly string[]): Finding {
  return { name, found, mustBeNone: true };
}
