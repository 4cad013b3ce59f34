// `npm run types -w sdk`: writes the types and the closed sets of the API as it is now.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiDocument } from './api-document.ts';
import { renderTypes } from './render-types.ts';
import { renderValues } from './render-values.ts';

const folder = fileURLToPath(new URL('../src/generated/', import.meta.url));
writeFileSync(`${folder}types.gen.ts`, renderTypes(await apiDocument()));
writeFileSync(`${folder}values.gen.ts`, renderValues());
