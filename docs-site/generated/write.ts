/** `npm run pages`: brings the generated parts of pages up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../site/sources.ts';
import { GENERATED } from './pages.ts';

for (const [file, write] of Object.entries(GENERATED)) {
  const place = path.join(ROOT, file);
  writeFileSync(place, write(readFileSync(place, 'utf8')));
}
