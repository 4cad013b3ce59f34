/** What a schema says about a value besides its type, in words. */
import type { Schema } from '../../src/http/docs-document.ts';

export function rulesOf(schema: Schema): string[] {
  const values = schema.enum ?? schema.anyOf?.flatMap((branch) => branch.enum ?? []);
  const shown = values?.filter((value) => value !== null).map((value) => `\`${String(value)}\``);
  return [
    ...(shown && shown.length > 0 ? [`one of ${shown.join(', ')}`] : []),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(schema.pattern === undefined ? [] : [`matches \`${schema.pattern}\``]),
    ...(schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (least !== undefined) return [`at least ${least}${unit}`];
  return most === undefined ? [] : [`at most ${most}${unit}`];
}
