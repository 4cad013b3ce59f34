/**
 * `npm run messages`: prints every text of src/ that people see, in groups, each with its place in the code, to be read from top to
 * bottom. `npm run messages -- CLI src/cli` prints the groups whose name starts with the first word, of files below the second.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GROUP_NAMES, messagesOf } from './lib/messages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [group = '', below = 'src'] = process.argv.slice(2);

const messages = readdirSync(`${root}src`, { recursive: true })
  .map((path) => `src/${path}`)
  .filter((path) => /(?<!\.test)\.ts$/.test(path) && path.startsWith(below))
  .sort()
  .flatMap((path) => messagesOf(path, readFileSync(`${root}${path}`, 'utf8')));

for (const name of GROUP_NAMES.filter((name) => name.startsWith(group))) {
  const list = messages.filter((message) => message.group === name);
  console.log(`\n# ${name} (${list.length})\n`);
  for (const { path, line, text } of list) console.log(`${path}:${line}: ${text.replaceAll('\n', '\\n')}`);
}
