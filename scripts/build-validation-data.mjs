// `node scripts/build-validation-data.mjs` makes the lists of validation-data/ out of the packages they come from and
// the files kept by hand in validation-data/curated/. Run it after changing either, and commit the result. With --check
// it changes nothing and fails if the committed files are not what it would write.
import fs from 'node:fs';
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { command, Problem, root } from './lib/prepare.mjs';
import { buildDomainLists } from './validation/domains.mjs';
import { buildRandomModel } from './validation/random-model.mjs';
import { describeSources } from './validation/sources.mjs';
import { buildLookalikes, buildRoles } from './validation/words.mjs';

await command(async () => {
  const files = await buildAll();
  if (process.argv.includes('--check')) return check(files);
  for (const [name, text] of files) fs.writeFileSync(path.join(root, name), text);
  console.log([...files].map(([name, text]) => `${name}: ${text.length} bytes`).join('\n'));
});

async function buildAll() {
  const validation = (file) => tsImport(`../src/validation/${file}`, import.meta.url);
  const trigrams = await validation('trigrams.ts');
  const { measure } = await validation('checks/random.ts');
  const { isSpecialUse } = await validation('special-use.ts');
  const { suggestDomain } = await validation('checks/typo.ts');
  const { placeOf } = await validation('lists.ts');
  const { typoTarget } = await validation('lists.ts');
  const curated = (name) => fs.readFileSync(path.join(root, 'validation-data', 'curated', name), 'utf8');

  const domains = buildDomainLists(curated, { isSpecialUse, suggestDomain, placeOf, typoTarget });
  const roles = buildRoles(curated);
  const random = buildRandomModel(trigrams, measure);
  const lookalikes = buildLookalikes();
  const lines = (list) => list.map((line) => `${line}\n`).join('');
  return new Map([
    ['validation-data/disposable.txt', lines(domains.disposable)],
    ['validation-data/suspected.txt', lines(domains.suspected)],
    ['validation-data/providers.txt', lines(domains.providers)],
    ['validation-data/roles.txt', lines(roles)],
    ['validation-data/lookalikes.txt', lines(lookalikes)],
    ['validation-data/random-model.json', `${JSON.stringify(random.model, null, 2)}\n`],
    ['bench/labelled/local-parts-people.txt', lines(random.people)],
    ['bench/labelled/local-parts-machines.txt', lines(random.machines)],
    ['validation-data/SOURCES.md', describeSources({ ...domains, roles, lookalikes, random })],
  ]);
}

function check(files) {
  const stale = [...files]
    .filter(([name, text]) => readOr(path.join(root, name)) !== text)
    .map(([name]) => name);
  if (stale.length === 0) return;
  throw new Problem(`Out of date: ${stale.join(', ')}. Run \`node scripts/build-validation-data.mjs\`.`);
}

function readOr(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}
