import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  readonly optionalDependencies?: Record<string, string>;
}

it('has every platform in the lock file, or npm ci refuses it (node scripts/complete-lockfile.mjs adds them)', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const missing = Object.values(packages)
    .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    .filter((name) => packages[`node_modules/${name}`] === undefined);
  expect(missing).toEqual([]);
});
