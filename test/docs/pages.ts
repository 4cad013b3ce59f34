/** The pages of the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface DocsPage {
  readonly name: string;
  readonly text: string;
}

export function pages(): DocsPage[] {
  const guides = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join('docs', name),
  );
  const others = [
    'sdk/README.md',
    'clients/python/README.md',
    'clients/php/README.md',
    'bench/RESULTS.md',
    ...readdirSync('.'),
  ];
  return [...others, ...guides]
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({ name, text: readFileSync(name, 'utf8') }));
}
