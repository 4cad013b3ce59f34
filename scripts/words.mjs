/**
 * The word check, part of `npm run lint`: names and phrases that must not come back. words.json has the list and the areas: the
 * code, the docs, and the texts that the code shows to people. A phrase that is still in use in an area has a number of allowed
 * occurrences, which may only fall.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messagesOf } from './lib/messages.mjs';
import { identifierHits, messageOf, phraseHits } from './lib/words.mjs';

/** Another folder than the repository is given by the tests of this check. */
const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const { areas, identifiers, phrases } = JSON.parse(
  readFileSync(new URL('words.json', import.meta.url), 'utf8'),
);

/** Only what exists: a file may have been deleted since the last commit. */
function filesOf({ include, exclude }) {
  const args = ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...include];
  const listed = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
  const left = exclude.map((pattern) => new RegExp(pattern));
  return listed.filter((path) => path !== '' && !left.some((pattern) => pattern.test(path)));
}

function read(path) {
  try {
    return { path, text: readFileSync(join(root, path), 'utf8') };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** A file of the area `texts` becomes its literals, one by one. */
function textsOf(file) {
  return messagesOf(file.path, file.text);
}

const problems = [];
for (const area of areas) {
  const files = filesOf(area)
    .map(read)
    .filter((file) => file !== null);
  if (area.name !== 'texts') problems.push(...identifierHits(files, identifiers).map(messageOf));
  const searched = area.name === 'texts' ? files.flatMap(textsOf) : files;
  problems.push(...phraseHits(searched, phrases, area.name));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
