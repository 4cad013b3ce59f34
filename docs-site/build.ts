/**
 * `npm run build` makes the site that an installation serves; `npm run docs -- --out FOLDER --base /manual/` one for any web
 * server.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './site/build-site.ts';
import { ROOT } from './site/sources.ts';

const { values } = parseArgs({
  options: { out: { type: 'string' }, base: { type: 'string', default: '/' } },
});
const options =
  values.out === undefined
    ? ({ base: '/docs/', links: 'clean' } as const)
    : ({ base: values.base.replace(/\/*$/, '/'), links: 'html' } as const);
const folder = path.resolve(values.out ?? path.join(ROOT, 'docs-site', 'dist'));
const { pages, dead } = await buildSite(folder, options);
for (const link of dead) process.stderr.write(`A link leads nowhere: ${link}\n`);
if (values.out !== undefined) process.stdout.write(`${pages} pages in ${folder}\n`);
