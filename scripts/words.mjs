/**
 * The word check, part of `npm run lint`: names and phrases that must not come back. words.json has the list and says where it
 * applies. A phrase that is still in use has a number of allowed occurrences, which may only fall.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { identifierHits, messageOf, phraseHits } from './lib/words.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
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
    return { path, text: readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

const problems = [];
for (const area of areas.filter(({ enabled }) => enabled)) {
  const files = filesOf(area)
    .map(read)
    .filter((file) => file !== null);
  problems.push(...identifierHits(files, identifiers).map(messageOf), ...phraseHits(files, phrases));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
