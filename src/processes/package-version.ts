import { readFileSync } from 'node:fs';

/** The same relative path from `src/processes` and `dist/processes`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
