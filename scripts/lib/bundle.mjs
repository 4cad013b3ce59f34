/**
 * Makes one file of each program that people start (`dist/processes/api.js` and its like) and one of the packages it
 * uses, because Node takes longer to find and load hundreds of small files than to run them. The build runs this after
 * the compiler, whose files of those names it replaces; all other compiled modules stay. Names and lines stay as they are, without comments.
 *
 * Stack traces lead to `src/` by source maps, which are read when there is an error to show (runtime/mapped-stacks.ts).
 * Packages have none: they would be most of it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { PROGRAMS } from './programs.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const sources = path.join(root, 'src');
const output = path.join(root, 'dist', 'processes');
/** What is loaded only where traces are wanted; but metrics need its `api`, too. */
const OPENTELEMETRY = /[\\/]node_modules[\\/]@opentelemetry[\\/](?!api[\\/])/;
/** Chosen first: a group takes along whatever its packages need. */
const PACKAGES = /[\\/]node_modules[\\/](?!@opentelemetry[\\/](?!api[\\/]))/;

await Promise.all(PROGRAMS.map(bundle));

async function bundle(program) {
  const made = await rolldown({
    input: path.join(sources, 'processes', `${program}.ts`),
    platform: 'node',
    // A native driver that nobody installs; pg asks for it only where it was chosen.
    external: ['pg-native'],
    plugins: [keepAddresses(), knowTheRuntime()],
  });
  await made.write({
    dir: output,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Node keeps the source of a running program in memory: a byte for each character if all are ASCII, and two otherwise.
    charset: 'ascii',
    comments: false,
    entryFileNames: `${program}.js`,
    chunkFileNames: `${program}-[name].js`,
    codeSplitting: {
      groups: [
        { name: 'packages', test: PACKAGES, priority: 1 },
        { name: 'opentelemetry', test: OPENTELEMETRY },
      ],
    },
  });
  await made.close();
  for (const group of ['packages', 'opentelemetry']) dropMap(path.join(output, `${program}-${group}.js`));
}

/** Every module goes on being where it was to itself: it finds its files from its own address. */
function keepAddresses() {
  return {
    name: 'keep-addresses',
    transform: {
      filter: { id: /\.ts$/, code: /import\.meta\.url/ },
      handler(code, id) {
        const module = path.join(root, 'dist', path.relative(sources, id)).replace(/\.ts$/, '.js');
        const from = path.relative(output, module).split(path.sep).join('/');
        const address = `new URL(${JSON.stringify(from)}, import.meta.url).href`;
        // Lines stay where they are, and with them the map.
        return { code: code.replaceAll('import.meta.url', address), map: null };
      },
    },
  };
}

/** pg finds out whether it runs at Cloudflare by making a Response, for which Node loads all of fetch: a tenth of a second. */
function knowTheRuntime() {
  const question = /\bif \(isCloudflareRuntime\(\)\)/;
  return {
    name: 'know-the-runtime',
    transform: {
      filter: { id: /[\\/]pg[\\/]lib[\\/]stream\.js$/ },
      handler(code, id) {
        if (!question.test(code)) throw new Error(`${id} no longer asks where it runs: this step can go`);
        return { code: code.replace(question, 'if (false)'), map: null };
      },
    },
  };
}

function dropMap(file) {
  if (!fs.existsSync(file)) return;
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  fs.rmSync(`${file}.map`, { force: true });
}
