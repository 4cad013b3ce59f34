/** An object of a request whose unknown fields are ignored. */
export type JsonFields = Readonly<Record<string, unknown>>;

const NONE: JsonFields = {};

/**
 * Leaves out null fields, which other services treat as missing. A value that is not an object has no fields.
 */
export function jsonFields(value: unknown): JsonFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NONE;
  const fields = value as JsonFields;
  // Most objects have no nulls and need no copy.
  return hasNull(fields) ? withoutNulls(fields) : fields;
}

function hasNull(fields: JsonFields): boolean {
  for (const name in fields) if (fields[name] === null) return true;
  return false;
}

function withoutNulls(fields: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(fields).filter(([, inner]) => inner !== null));
}
