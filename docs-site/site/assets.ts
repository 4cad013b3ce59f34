/** Scripts, styles and the search index, each under a name that has a hash of what is in it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './sources.ts';

export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly theme: string;
  readonly icon: string;
  readonly search: string;
}

/** The site looks like the dashboard: both take colours from the same file. */
const STYLES = [
  'dashboard/src/ui/styles/tokens.css',
  ...['site', 'code', 'search'].map((name) => `docs-site/theme/${name}.css`),
];

/** Their names, and what is to be written under each. */
export async function makeAssets(
  searchIndex: string,
): Promise<{ assets: Assets; files: Map<string, string> }> {
  const files = new Map<string, string>();
  const add = (name: string, extension: string, content: string) => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
    const file = `assets/${name}-${hash}.${extension}`;
    files.set(file, content);
    return file;
  };
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const assets = {
    script: add('site', 'js', await bundled('docs-site/browser/site.ts')),
    style: add('site', 'css', STYLES.map(read).join('\n')),
    theme: add('theme', 'js', read('dashboard/public/theme.js')),
    icon: add('icon', 'svg', read('dashboard/public/favicon.svg')),
    search: add('search', 'json', searchIndex),
  };
  return { assets, files };
}

async function bundled(entry: string): Promise<string> {
  const made = await rolldown({ input: path.join(ROOT, entry), platform: 'browser' });
  const { output } = await made.generate({ format: 'esm', minify: true });
  await made.close();
  return output[0].code;
}
