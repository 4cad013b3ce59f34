// `npm run storm [-- --minutes 5 --seed 1 --fault NAME]`: a whole installation under kills and freezes, and the accounting.
import path from 'node:path';
import { buildIfNeeded, command, installIfNeeded, root, run } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.error);
  await buildIfNeeded(console.error);
  const main = path.join('test', 'storm', 'main.ts');
  process.exitCode = await run(process.execPath, ['--import', 'tsx', main, ...process.argv.slice(2)], {
    cwd: root,
  });
});
