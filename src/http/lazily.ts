/** Makes something when it is first asked for, and keeps it. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * What follows from a schema alone, made once however often that is served: every route has two prefixes, and tests make
 * hundreds of apps.
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
