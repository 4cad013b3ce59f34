/** bench/RESULTS.md and the benches say the same, and writing a result changes its block alone. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchNames, loadBench } from '../../bench/support/catalogue.ts';
import { blockOf, sectionsOf, withBlock } from '../../bench/support/results.ts';

const RESULTS = readFileSync('bench/RESULTS.md', 'utf8');
const FACTS = ['Machine', 'Date', 'Commit', 'Command'];
const VERDICT = /^(\*\*(Holds|Does not hold|Failed)\*\*|Not measured): \S/m;

describe('bench/RESULTS.md', () => {
  const sections = sectionsOf(RESULTS);
  const about = sections.filter(({ claim, block }) => claim !== null || block !== null);

  it('has a section for every bench, and for nothing else, in alphabetical order', () => {
    expect(about.map(({ name }) => name)).toEqual(benchNames());
  });

  it('has as many blocks as sections of benches, each opened and closed', () => {
    expect(RESULTS.match(/^<!-- result: [\w-]+ -->$/gm)).toHaveLength(benchNames().length);
    expect(RESULTS.match(/^<!-- \/result -->$/gm)).toHaveLength(benchNames().length);
  });

  it.each(about)('states the claim of $name as the bench does', async ({ name, claim }) => {
    expect(claim).toBe((await loadBench(name)).claim);
  });

  it.each(about)('says machine, date, commit, command and verdict of the result of $name', ({ block }) => {
    expect(FACTS.filter((fact) => !block?.includes(`- ${fact}: `))).toEqual([]);
    expect(block).toMatch(VERDICT);
  });
});

describe('a result', () => {
  const text =
    '# Results\n\n## one\n\nBefore.\n\n<!-- result: one -->\nold\n<!-- /result -->\n\nAfter.\n\n## two\n\n<!-- result: two -->\nkept\n<!-- /result -->\n';
  const circumstances = {
    machine: '2 x Test, 4 GB',
    date: '2026-11-18',
    commit: 'abc1234',
    command: 'npm run bench -- one',
    busyShare: null,
  };
  const run = { seconds: 1, cpuSeconds: 1, output: '' };
  const table = {
    columns: ['path', 'mails/s'],
    rows: [
      ['postrider', '2'],
      ['a|b', '1'],
    ],
  };

  it('replaces the block of its bench, and nothing else', () => {
    const changed = withBlock(text, 'one', 'new\n');
    expect(changed).toBe(text.replace('old', 'new'));
  });

  it('is refused where the file has no block for the bench', () => {
    expect(() => withBlock(text, 'three', 'new\n')).toThrow('has no block for three');
  });

  it('is a table with the circumstances and the verdict', () => {
    const result = { ratio: 3.4, target: 3, table, figures: {} };
    expect(blockOf({ ...run, kind: 'measured', result }, circumstances)).toBe(`- Machine: 2 x Test, 4 GB
- Date: 2026-11-18
- Commit: abc1234
- Command: \`npm run bench -- one\`

| path      | mails/s |
| --------- | ------: |
| postrider |       2 |
| a\\|b      |       1 |

**Holds**: ratio 3.40 (target 3).
`);
  });

  it('says so where the claim does not hold', () => {
    const result = { ratio: 1.02, target: 1.5, table, figures: {} };
    const block = blockOf({ ...run, kind: 'measured', result }, circumstances);
    expect(block).toContain('**Does not hold**: ratio 1.02 (target 1.5).');
  });

  it('says that the machine was busy', () => {
    const result = { ratio: 1, target: 1, table, figures: {} };
    const block = blockOf({ ...run, kind: 'measured', result }, { ...circumstances, busyShare: 0.45 });
    expect(block).toContain(
      '- **The machine was busy**: 45 % of its processors were in use before the bench\n',
    );
  });

  it('says which peer was missing, or why the bench failed', () => {
    const skipped = { ...run, kind: 'skipped', why: 'Postfix is not installed', install: 'apt-get' } as const;
    expect(blockOf(skipped, circumstances)).toContain('\n\nNot measured: Postfix is not installed.\n');
    const failed = { ...run, kind: 'failed', why: 'did not end within 10 s' } as const;
    expect(blockOf(failed, circumstances)).toContain('\n\n**Failed**: did not end within 10 s\n');
  });
});
