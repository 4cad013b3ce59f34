/** A reader who pastes the examples of a page has set every variable that they use. */
import { expect, it } from 'vitest';
import { type Block, blocksOf, isRun, placeOf } from './blocks.ts';
import { pages } from './pages.ts';

/** docs/reference/conventions.md sets them for all pages. */
const EVERYWHERE = ['API', 'API_KEY'];

const ASSIGNED = /(?:^|\s)(?:export )?([A-Z][A-Z_]*)=/gm;
const USED = /\$\{?([A-Z][A-Z_]*)/g;

const namesIn = (pattern: RegExp, code: string) => [...code.matchAll(pattern)].map(([, name = '']) => name);

function unsetIn(blocks: readonly Block[]): string[] {
  const known = new Set(EVERYWHERE);
  return blocks.flatMap((block) => {
    for (const name of namesIn(ASSIGNED, block.code)) known.add(name);
    const unset = isRun(block) ? namesIn(USED, block.code).filter((name) => !known.has(name)) : [];
    return [...new Set(unset)].map((name) => `${placeOf(block)}: $${name}`);
  });
}

it('every variable that an example uses is set above it on the same page', () => {
  const examples = pages().map((page) => blocksOf(page).filter(({ language }) => language === 'sh'));
  expect(examples.flatMap(unsetIn)).toEqual([]);
});
