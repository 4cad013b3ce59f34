// `npm start`: installs and builds what is missing, then becomes the supervisor (in this same process, so
// that every signal arrives once).
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.log);
  await buildIfNeeded(console.log);
});
await import(pathToFileURL(path.join(root, 'dist', 'processes', 'start.js')).href);
