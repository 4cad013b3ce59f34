/** An object of a request whose other fields nobody looks at. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Without those that are null: other services take that for not given. What is no object has no fields. */
export function jsonFields(value: unknown): JsonFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}
