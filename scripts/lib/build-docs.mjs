/**
 * Runs `docs-site/build.ts`. The reference needs the whole of src/, whose hundreds of files Node would take longer to load one by
 * one than all the rest takes: so they are made one file first.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Below node_modules, so that packages are found from there. */
const output = path.join(root, 'node_modules', '.cache', `postrider-docs-${process.pid}`);

const made = await rolldown({
  input: path.join(root, 'docs-site', 'build.ts'),
  platform: 'node',
  external: /^[^./]/,
  plugins: [
    { name: 'keep-addresses', transform: { filter: { code: /import\.meta\.url/ }, handler: keepAddress } },
  ],
});
try {
  await made.write({ dir: output, format: 'esm', entryFileNames: 'build.mjs' });
  await made.close();
  await import(pathToFileURL(path.join(output, 'build.mjs')).href);
} finally {
  fs.rmSync(output, { recursive: true, force: true });
}

/** Every module goes on being where it was to itself. */
function keepAddress(code, id) {
  return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null };
}
