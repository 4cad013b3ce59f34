// `npm run soak [-- --minutes 60 --load 0.7]`: a whole installation at steady work, and whether anything grows.
import path from 'node:path';
import { buildIfNeeded, command, installIfNeeded, root, run } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.error);
  await buildIfNeeded(console.error);
  const main = path.join('test', 'soak', 'main.ts');
  process.exitCode = await run(process.execPath, ['--import', 'tsx', main, ...process.argv.slice(2)], {
    cwd: root,
  });
});
