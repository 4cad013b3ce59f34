import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const DIST = new URL('../../dashboard/dist/', import.meta.url);
const MAX_BYTES = 180 * 1024;

it('loads less than 180 KB of script (gzip) before the first page', () => {
  const html = readFileSync(new URL('index.html', DIST), 'utf8');
  const scripts = [...html.matchAll(/(?:<script[^>]+src|modulepreload"[^>]+href)="\/([^"]+\.js)"/g)].map(
    (found) => found[1] ?? '',
  );
  expect(scripts.length).toBeGreaterThan(1);
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, DIST))).length, 0);
  expect(bytes).toBeLessThan(MAX_BYTES);
});
