// `npx tsx clients/php/scripts/generate.ts`: writes what the PHP client knows of the API as it is now.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '../../../sdk/scripts/api-document.ts';
import { renderClient } from './render-client.ts';

const folder = fileURLToPath(new URL('../src/Generated/', import.meta.url));
const files = renderClient(await apiDocument());
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!(name in files)) rmSync(folder + name);
for (const [name, text] of Object.entries(files)) writeFileSync(folder + name, text);
