import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AREAS, deedWords, detailWords, hasWords } from './words.ts';

describe('the audit log in words', () => {
  it('has words for everything that the server writes into it', () => {
    // The page that lists them all is held against the routes by a test of its own.
    const page = readFileSync('docs/operate/users.md', 'utf8');
    const list = /<!-- audit-actions -->[\s\S]*<!-- \/audit-actions -->/.exec(page)?.[0] ?? '';
    const actions = [...list.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action = '']) => action);
    expect(actions.length).toBeGreaterThan(40);
    expect(actions.filter((action) => !hasWords(action))).toEqual([]);
  });

  it('tells what it has no words for all the same', () => {
    expect(deedWords('moon.landed_on')).toBe('moon landed on');
  });

  it('can be narrowed to areas that there are', () => {
    expect(AREAS.filter(({ key }) => !/^[a-z_]+$/.test(key))).toEqual([]);
  });

  it('writes details as people would', () => {
    expect(detailWords({ role: 'read_only', expires_at: null, enabled: true, events: ['a', 'b'] })).toBe(
      'role read_only, enabled on, events a and b',
    );
  });
});
