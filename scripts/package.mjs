// `npm run package`: builds what changed, and packs `postrider` and `@postrider/sdk` as they are published, with an SBOM and checksums.
import path from 'node:path';
import { makePackages } from './lib/packages.mjs';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.log);
  await buildIfNeeded(console.log);
  const made = await makePackages(path.join(root, 'build'));
  for (const file of Object.values(made)) console.log(path.relative(root, file));
});
