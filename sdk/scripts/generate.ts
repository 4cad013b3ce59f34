// `npm run types -w sdk`: writes the types of the API as it is now.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiDocument } from './api-document.ts';
import { renderTypes } from './render-types.ts';

const file = fileURLToPath(new URL('../src/generated/types.gen.ts', import.meta.url));
writeFileSync(file, renderTypes(await apiDocument()));
