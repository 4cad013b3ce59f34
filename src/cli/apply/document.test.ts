import { describe, expect, it } from 'vitest';
import { parseYaml } from './read-file.ts';

function problemOf(text: string): { line: number; message: string } | null {
  const parsed = parseYaml(text);
  return parsed.ok ? null : { line: parsed.line, message: parsed.message };
}

describe('a document', () => {
  it('knows the line of every field, and of the nearest one where there is none', () => {
    const parsed = parseYaml(
      '# first\nwebhooks:\n  - url: https://a.example\n    enabled: true\n  - url: b\n',
    );
    if (!parsed.ok) throw new Error('It is sound.');
    expect(parsed.value).toEqual({ webhooks: [{ url: 'https://a.example', enabled: true }, { url: 'b' }] });
    expect(parsed.lineOf(['webhooks', 0, 'enabled'])).toBe(4);
    expect(parsed.lineOf(['webhooks', 1, 'url'])).toBe(5);
    expect(parsed.lineOf(['webhooks', 1, 'format'])).toBe(5);
    expect(parsed.lineOf(['nothing'])).toBe(2);
  });

  it('that is broken reports the position', () => {
    expect(problemOf('a: 1\nb: [1, 2\nc: 3\n')).toMatchObject({ line: expect.toSatisfy((line) => line > 1) });
  });

  it('may use aliases, up to a limit', () => {
    expect(parseYaml('a: &x [1]\nb: *x\n')).toMatchObject({ ok: true, value: { a: [1], b: [1] } });
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i += 1)
      bomb.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(problemOf(bomb.join('\n'))?.message).toContain('alias count');
  });

  it('is not nested beyond a limit', () => {
    const deep = { line: 1, message: 'is nested more than 50 deep' };
    for (const one of ['[', '{a: ', '- ', '? ']) expect(problemOf(one.repeat(1_000_000))).toEqual(deep);
    expect(problemOf(`\n\n${'['.repeat(60)}${']'.repeat(60)}`)).toEqual({ ...deep, line: 3 });
    expect(problemOf(`${'['.repeat(30)}${']'.repeat(30)}`)).toBeNull();
  });

  it('refuses a duplicate name, unknown tags, and a second document', () => {
    expect(problemOf('a: 1\na: 2\n')).toMatchObject({ line: 2 });
    expect(problemOf('a: 1\nb: !secret x\n')).toMatchObject({ line: 2 });
    expect(problemOf('a: !!binary aGVsbG8=\n')).toMatchObject({ line: 1 });
    expect(problemOf('a: 1\n---\na: 2\n')).toMatchObject({ message: 'must be one document' });
  });

  it('treats names such as __proto__ as ordinary names', () => {
    const parsed = parseYaml('__proto__: { polluted: true }\n');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__']);
  });
});
