/**
 * A bounded copy of a refused value, for listing its problems.
 *
 * Listing every problem of a hostile body (ten million wrong items fit into 20 MiB) would take gigabytes. So a
 * value is first judged by a validator that stops at the first problem, and only if it fails is an excerpt of
 * bounded size examined in full. One item more than the longest list we accept stays in, so that "too many" is
 * still noticed.
 */
const ARRAY_ITEMS = 1001;
const OBJECT_FIELDS = 200;
const VALUES = 20_000;
/** More than any text may have, and a multiple of four: what is left of base64 is base64. */
const TEXT_CHARS = 2 * 1024 * 1024 + 4;

export function excerptOf(value: unknown): unknown {
  return copy(value, { left: VALUES });
}

function copy(value: unknown, budget: { left: number }): unknown {
  budget.left -= 1;
  if (typeof value === 'string') return value.slice(0, TEXT_CHARS);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copyItems(value, budget);
  const out = Object.create(null) as Record<string, unknown>; // so that `__proto__` is a field like any other
  let fields = 0;
  for (const name in value) {
    if (fields === OBJECT_FIELDS) break;
    fields += 1;
    out[name] = copy((value as Record<string, unknown>)[name], budget);
  }
  return out;
}

/** When the budget is used up an array still keeps its first item: it must not look empty. */
function copyItems(items: readonly unknown[], budget: { left: number }): unknown[] {
  const out: unknown[] = [];
  for (const item of items) {
    if (out.length === ARRAY_ITEMS || (budget.left <= 0 && out.length > 0)) break;
    out.push(copy(item, budget));
  }
  return out;
}
