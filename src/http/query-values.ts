/**
 * Converts query parameters, which are text, to the number, boolean or list in the schema, strictly:
 * `limit=1e1`, `limit=0x10` and `limit= 5` are not numbers. Text that cannot be converted stays as it is for
 * the validator to report.
 */
interface FieldSchema {
  readonly type?: unknown;
  readonly items?: FieldSchema;
}

export function queryValues(schema: unknown, query: unknown): Record<string, unknown> {
  const fields = (schema as { properties?: Record<string, FieldSchema> }).properties ?? {};
  // No prototype, so that a parameter named `__proto__` is an ordinary one.
  const out = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    out[name] = field ? valueFor(field, value) : value;
  }
  return out;
}

function valueFor(field: FieldSchema, value: unknown): unknown {
  if (field.type === 'array') {
    const items = Array.isArray(value) ? value : [value];
    return field.items ? items.map((item) => valueFor(field.items as FieldSchema, item)) : items;
  }
  if (typeof value !== 'string') return value;
  if (field.type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (field.type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (field.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
