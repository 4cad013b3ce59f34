/**
 * A size-limited copy of a refused value, for listing its problems.
 *
 * Listing every problem of a hostile body (20 MiB can hold ten million wrong items) would take gigabytes. So
 * a validator first stops at the first problem, and only a failing value is copied and checked in full. The
 * copy keeps one item more than the longest accepted list, so that "too many" is still reported.
 */
const ARRAY_ITEMS = 1001;
const OBJECT_FIELDS = 200;
const VALUES = 20_000;
/** Longer than any accepted text, and a multiple of four, so that truncated base64 remains valid base64. */
const TEXT_CHARS = 2 * 1024 * 1024 + 4;

export function excerptOf(value: unknown): unknown {
  return copy(value, { left: VALUES });
}

function copy(value: unknown, budget: { left: number }): unknown {
  budget.left -= 1;
  if (typeof value === 'string') return value.slice(0, TEXT_CHARS);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copyItems(value, budget);
  const out = Object.create(null) as Record<string, unknown>; // no prototype, so that `__proto__` is an ordinary field
  let fields = 0;
  for (const name in value) {
    if (fields === OBJECT_FIELDS) break;
    fields += 1;
    out[name] = copy((value as Record<string, unknown>)[name], budget);
  }
  return out;
}

/**
 * Keeps the first item of an array even when the budget is used up, so that the array does not appear empty.
 */
function copyItems(items: readonly unknown[], budget: { left: number }): unknown[] {
  const out: unknown[] = [];
  for (const item of items) {
    if (out.length === ARRAY_ITEMS || (budget.left <= 0 && out.length > 0)) break;
    out.push(copy(item, budget));
  }
  return out;
}
