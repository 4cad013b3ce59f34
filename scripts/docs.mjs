// `npm run docs -- --out FOLDER [--base /manual/]`: the documentation as files for any web server.
import { buildDocs, command, installIfNeeded, Problem } from './lib/prepare.mjs';

await command(async () => {
  const args = process.argv.slice(2);
  if (!args.some((arg) => arg.startsWith('--out')))
    throw new Problem(
      'Say where to: npm run docs -- --out FOLDER, and --base /path/ where it is not at the root of its host.',
    );
  await installIfNeeded(console.log);
  if ((await buildDocs(args)) !== 0)
    throw new Problem('The documentation could not be made; the messages above say why.');
});
