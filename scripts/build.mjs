// `npm run build`: packages and build, each only when needed. With --install-only it stops after the packages.
import { buildIfNeeded, command, installIfNeeded } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.log);
  if (!process.argv.includes('--install-only')) await buildIfNeeded(console.log);
});
