/** Whatever `npx postrider …` the pages and the alerts name is a command, and has the options they give it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { pages } from './pages.ts';

/** What was is not what is. */
const texts = [
  ...pages().filter(({ name }) => !/^CHANGELOG|^docs\/decisions\//.test(name)),
  { name: 'ops/alerts.yaml', text: readFileSync('ops/alerts.yaml', 'utf8') },
];
const named = texts.flatMap(({ name, text }) =>
  [...text.matchAll(/npx postrider\s+((?:[a-z][a-z-]* ?)+)([^`\n#&|;]*)/g)].map(
    ([, words = '', rest = '']) => ({
      name,
      words: words.trim().split(/\s+/),
      options: [...rest.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option),
    }),
  ),
);

/** Its name has two words at most; arguments, or prose, may follow. */
async function usageOf(words: readonly string[]): Promise<string | undefined> {
  const [first = ''] = words;
  if (first === 'help') return '';
  const { code, out } = await runCommand([...words.slice(0, 2), '--help'], {});
  return code === 0 ? out : undefined;
}

it('every command that is named exists, with its options', async () => {
  const wrong: string[] = [];
  for (const { name, words, options } of named) {
    const usage = await usageOf(words);
    const missing = options.filter(
      (option) => !['--json', '--help'].includes(option) && !usage?.includes(option),
    );
    if (usage === undefined || missing.length > 0) wrong.push(`${name}: ${[...words, ...missing].join(' ')}`);
  }
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
});
