// `npm run release -- 0.2.0`: versions, changelog, both packages with SBOM and checksums, commit, tag. It pushes and publishes nothing.
import path from 'node:path';
import { makePackages } from './lib/packages.mjs';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';
import { release } from './lib/release.mjs';

await command(async () => {
  await installIfNeeded(console.log);
  const version = process.argv[2];
  const folder = path.join(root, 'build', `release-${version}`);
  const { tag, tarballs } = await release(root, version, {
    today: new Date().toISOString().slice(0, 10),
    makeTarballs: async () => {
      await buildIfNeeded(console.log);
      return makePackages(folder);
    },
  });
  console.log(`Committed and tagged ${tag}. The packages are in ${path.relative(root, folder)}:`);
  for (const file of Object.values(tarballs)) console.log(`  ${path.basename(file)}`);
  console.log(
    'Next, after a look at them: git push --follow-tags, npm publish for each package, and all four files on the page of the release.',
  );
});
