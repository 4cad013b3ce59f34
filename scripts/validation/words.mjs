// Role names, and characters that look like others.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Two letters are initials, except where they are a department. */
const SHORT_ROLES = new Set(['hr', 'it', 'pr', 'qa']);

/** `name` or `name unread`; names without dots, hyphens and underscores. */
export function buildRoles(curated) {
  const { add, drop, unread } = sections(curated('roles.txt'));
  const names = new Set([...require('role-based-email-addresses'), ...add].map(plain));
  for (const name of drop.map(plain)) names.delete(name);
  for (const name of unread.map(plain)) names.add(name);
  const nobody = new Set(unread.map(plain));
  return [...names]
    .filter((name) => name.length > 2 || SHORT_ROLES.has(name))
    .sort()
    .map((name) => (nobody.has(name) ? `${name} unread` : `${name} read`));
}

function sections(text) {
  const found = { add: [], drop: [], unread: [] };
  let section;
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const name = /^\[(\w+)\]$/.exec(line)?.[1];
    if (name !== undefined) section = found[name];
    else section.push(...line.split(' '));
  }
  return found;
}

function plain(name) {
  return name.toLowerCase().replace(/[._-]/g, '');
}

/** Lower-case letters beyond ASCII that look like one of ASCII: all that can stand in a domain after IDNA. */
export function buildLookalikes() {
  const data = JSON.parse(fs.readFileSync(require.resolve('unhomoglyph/data.json'), 'utf8'));
  return Object.entries(data)
    .map(([char, like]) => [char, like.toLowerCase()])
    .filter(
      ([char, like]) =>
        /^[\p{Ll}\p{Lo}]$/u.test(char) && !/[\x00-\x7f]/.test(char) && /^[a-z0-9]$/.test(like),
    )
    .filter(([char]) => char.normalize('NFKC') === char)
    .map(([char, like]) => `${char} ${like}`)
    .sort();
}
