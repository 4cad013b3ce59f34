#!/usr/bin/env node
// `npx postrider …` in a checkout: the command line tool, built first if need be. What that has to say goes
// to stderr, so that stdout holds the tool's own output only.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, command, installIfNeeded, Problem, root } from './lib/prepare.mjs';

// A dry run looks at the migrations of new sources, perhaps beside programs that run. So it runs from the sources, with the
// packages that are here: a build or an installation would replace files that the running programs may still load.
const isDryRun = process.argv[2] === 'migrate' && process.argv.includes('--dry-run');

await command(async () => {
  if (!isDryRun || !fs.existsSync(path.join(root, 'node_modules'))) await installIfNeeded(console.error);
  if (isDryRun) await runFromSources();
  else await buildIfNeeded(console.error);
});
if (!isDryRun) await import(pathToFileURL(path.join(root, 'dist', 'processes', 'cli.js')).href);

async function runFromSources() {
  try {
    const { tsImport } = await import('tsx/esm/api');
    await tsImport('../src/processes/cli.ts', import.meta.url);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Problem(
      `The sources need a package that is not installed here: ${error.message}. To install it could disturb a running installation. Run the command in a second clone of the new version.`,
    );
  }
}
