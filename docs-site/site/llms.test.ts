import { describe, expect, it } from 'vitest';
import { summaryOf } from './llms.ts';
import { readPages } from './sources.ts';

describe('the list of pages for programs', () => {
  it('says of every page in its own words what it is about', () => {
    const summaries = readPages().map(({ path, markdown }) => [path, summaryOf(markdown)] as const);
    const none = summaries.filter(([path, text]) => path !== 'index' && !/^["`\p{Lu}\d].{19}/u.test(text));
    expect(none).toEqual([]);
    expect(summaries.length).toBeGreaterThan(100);
  });

  it.each([
    ['# A\n\nOne [word](b.md), **bold**. Two.', 'One word, bold. Two.'],
    [
      '# A\n\nA sentence that is long enough to say what this is: that. More.',
      'A sentence that is long enough to say what this is.',
    ],
    ['# A\n\n```sh\nrun\n```\n\nShortened:', ''],
    ['# A\n\n## B\n\nText.', ''],
    ['# A', ''],
  ])('reads %j', (markdown, summary) => {
    expect(summaryOf(markdown)).toBe(summary);
  });
});
