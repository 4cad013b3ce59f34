/**
 * Rules for request schemas, checked when a route is registered, so that a mistake fails the start.
 * - Every object states what happens to unknown fields. TypeBox adds no such rule, and an object that ignores
 * a mistyped field sends the wrong mail.
 * - `patternProperties` alone is not enough: its usual `^.*$` misses names with a line break. Use `mapOf`.
 * - No `uniqueItems`: it compares every pair, which takes hours for a body of 20 MiB. Use `checked`.
 */
export function assertStrictSchema(schema: unknown, where: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  const node = schema as Readonly<Record<string, unknown>>;
  const isObject =
    node.type === 'object' || node.properties !== undefined || node.patternProperties !== undefined;
  if (isObject && node.additionalProperties === undefined) {
    throw new Error(
      `${where}: an object must say additionalProperties: false (strictObject, mapOf, anyObject)`,
    );
  }
  if (node.uniqueItems === true) throw new Error(`${where}: uniqueItems is too slow for hostile input`);
  if (node.check !== undefined && typeof node.type !== 'string') {
    throw new Error(`${where}: a checked schema needs exactly one type`);
  }
  for (const [path, inner] of innerSchemas(node)) assertStrictSchema(inner, `${where}${path}`);
}

function innerSchemas(node: Readonly<Record<string, unknown>>): [string, unknown][] {
  const named = ['properties', 'patternProperties'].flatMap((keyword) =>
    Object.entries((node[keyword] ?? {}) as object).map(([name, inner]): [string, unknown] => [
      `.${name}`,
      inner,
    ]),
  );
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    ((node[keyword] ?? []) as unknown[]).map((inner, index): [string, unknown] => [
      `(${keyword} ${index})`,
      inner,
    ]),
  );
  return [...named, ...branches, ['[]', node.items], ['.*', node.additionalProperties]];
}
