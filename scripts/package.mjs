// `npm run package`: builds what changed, and packs `postrider` and `@postrider/sdk` as they are published.
import path from 'node:path';
import { makePackages } from './lib/packages.mjs';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';

await command(async () => {
  await installIfNeeded(console.log);
  await buildIfNeeded(console.log);
  const { server, sdk } = await makePackages(path.join(root, 'build'));
  for (const tarball of [server, sdk]) console.log(path.relative(root, tarball));
});
