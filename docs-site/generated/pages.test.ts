/** Pages with generated parts say what the code says. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { OUTCOME_REASONS } from '../../src/delivery/policy/reasons.ts';
import { ROOT } from '../site/sources.ts';
import { outcomesByReason } from './outcomes.ts';
import { GENERATED } from './pages.ts';
import { withReasons } from './reasons-page.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

it.each(Object.keys(GENERATED))('%s is up to date; if not, run `npm run pages`', (file) => {
  expect(read(file)).toBe(GENERATED[file]?.(read(file)));
});

describe('the page of reasons', () => {
  it('has a section for every reason of a failure', () => {
    const sections = [...read('docs/track/reasons.md').matchAll(/^### `([a-z0-9_]+)`$/gm)].map(
      ([, name]) => name,
    );
    const expected = [...Object.keys(OUTCOME_REASONS), 'cancelled', 'erased'];
    expect(sections.toSorted()).toEqual(expected.filter((name) => name !== 'accepted').toSorted());
  });

  it('refuses a page without the comments', () => {
    expect(() => withReasons('# Reasons')).toThrow('docs/track/reasons.md has no block "reasons-table".');
  });
});

describe('the page of the command line', () => {
  it('has a section for every command', () => {
    const sections = [...read('docs/reference/cli.md').matchAll(/^### `([a-z -]+)`$/gm)].map(
      ([, name]) => name,
    );
    expect(sections.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
  });
});

describe('what a reason leads to', () => {
  it.each([
    ['unknown_recipient', ['bounced'], 'always'],
    ['mailbox_owner_changed', ['bounced', 'deferred'], 'never'],
    ['mailbox_full', ['bounced', 'deferred'], 'full'],
    ['greylisted', ['deferred'], 'never'],
    ['domain_has_no_servers', ['bounced', 'deferred'], 'never'],
    ['lifetime_exceeded', ['failed'], 'never'],
    ['hold_discarded', ['rejected'], 'never'],
  ] as const)('%s: %o, suppresses %s', (reason, endings, suppress) => {
    const found = outcomesByReason().get(reason);
    expect([...(found?.endings ?? [])].toSorted()).toEqual(endings);
    expect(found?.suppress).toBe(suppress);
  });
});
