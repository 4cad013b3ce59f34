/** Creates a value on first use and keeps it. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Derives a value from a schema once, even if the schema is registered many times: every route has two
 * prefixes, and tests create hundreds of apps.
 */
export function perSchema<T>(make: (schema: object) => T): (schema: object) => T {
  const made = new WeakMap<object, T>();
  return (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    const one = make(schema);
    made.set(schema, one);
    return one;
  };
}
