// `npx tsx docs-site/reference/write.ts FOLDER`: writes the reference of the API as it is now, as Markdown.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import type { Document } from '../../src/http/docs-document.ts';
import { referencePages } from './pages.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Say where to: npx tsx docs-site/reference/write.ts FOLDER');
for (const page of referencePages((await apiDocument()) as unknown as Document)) {
  const file = path.join(folder, `${page.path}.md`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page.markdown);
}
