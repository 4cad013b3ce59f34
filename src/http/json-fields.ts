/** An object of a request whose other fields nobody looks at. */
export type JsonFields = Readonly<Record<string, unknown>>;

const NONE: JsonFields = {};

/** Without those that are null: other services take that for not given. What is no object has no fields. */
export function jsonFields(value: unknown): JsonFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NONE;
  const fields = value as JsonFields;
  // Nearly always there is none, and nothing to copy.
  return hasNull(fields) ? withoutNulls(fields) : fields;
}

function hasNull(fields: JsonFields): boolean {
  for (const name in fields) if (fields[name] === null) return true;
  return false;
}

function withoutNulls(fields: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(fields).filter(([, inner]) => inner !== null));
}
