// `npm run lab`: real mail through a whole installation to Postfix, OpenDKIM and rspamd, and what became of it.
import path from 'node:path';
import { buildIfNeeded, command, installIfNeeded, root, run } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.error);
  await buildIfNeeded(console.error);
  const main = path.join('test', 'lab', 'main.ts');
  process.exitCode = await run(process.execPath, ['--import', 'tsx', main, ...process.argv.slice(2)], {
    cwd: root,
  });
});
