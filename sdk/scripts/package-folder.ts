/**
 * The package as others get it. Inside this repository the sources are imported as they are, so the manifest here
 * points to them and cannot be published; the one that can is written beside the compiled files.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const sdk = fileURLToPath(new URL('..', import.meta.url));
const compiler = path.join(sdk, '..', 'node_modules', 'typescript', 'bin', 'tsc');

export function buildPackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: sdk,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  pointTypesToScripts(folder);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  copyFileSync(path.join(sdk, 'README.md'), path.join(folder, 'README.md'));
  copyFileSync(path.join(sdk, '..', 'LICENSE'), path.join(folder, 'LICENSE'));
}

/** The compiler rewrites `./client.ts` in scripts, but not in declarations. */
function pointTypesToScripts(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts';/g, "$1.js';"));
  }
}

function publishedManifest(): Record<string, unknown> {
  const own = JSON.parse(readFileSync(path.join(sdk, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { private: _private, scripts: _scripts, exports: _exports, ...rest } = own;
  return { ...rest, exports: { '.': { types: './index.d.ts', default: './index.js' } } };
}
