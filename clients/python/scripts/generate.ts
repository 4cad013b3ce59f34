// `npx tsx clients/python/scripts/generate.ts`: writes what the Python client knows of the API as it is now.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '../../../sdk/scripts/api-document.ts';
import { renderClient } from './render-client.ts';

const folder = fileURLToPath(new URL('../postrider/_generated/', import.meta.url));
for (const [name, text] of Object.entries(renderClient(await apiDocument())))
  writeFileSync(folder + name, text);
