// `npm run fuzz [-- --minutes 5 --seed 1]`: asks a fresh build for everything it says it does, in good faith and in bad.
import path from 'node:path';
import { buildIfNeeded, command, installIfNeeded, root, run } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.error);
  await buildIfNeeded(console.error);
  const main = path.join('test', 'fuzz', 'main.ts');
  process.exitCode = await run(process.execPath, ['--import', 'tsx', main, ...process.argv.slice(2)], {
    cwd: root,
  });
});
