/** The committed types against the API as it is. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import type { ApiDocument } from '../../sdk/scripts/api-schema.ts';
import { renderTypes } from '../../sdk/scripts/render-types.ts';
import { renderValues } from '../../sdk/scripts/render-values.ts';

let document: ApiDocument;
beforeAll(async () => {
  document = await apiDocument();
});

it('has the types of the API as it is (`npm run types -w sdk` writes them)', () => {
  const committed = readFileSync('sdk/src/generated/types.gen.ts', 'utf8');
  expect(committed, 'the types are stale: run `npm run types -w sdk`').toBe(renderTypes(document));
});

it('has the closed sets of the API as they are (`npm run types -w sdk` writes them)', () => {
  const committed = readFileSync('sdk/src/generated/values.gen.ts', 'utf8');
  expect(committed, 'the values are stale: run `npm run types -w sdk`').toBe(renderValues());
});

it('has a method for every operation', () => {
  const folder = 'sdk/src/resources';
  const source = readdirSync(folder)
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n');
  const called = new Set([...source.matchAll(/\.#api\.\w+\(\s*'([A-Z]+ \/[^']*)'/g)].map(([, name]) => name));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.length).toBeGreaterThan(50);
  expect(operations.filter((name) => !called.has(name))).toEqual([]);
});
