import { describe, expect, it } from 'vitest';
import { type HeaderBounds, scanHeader } from './header-scan.ts';

const scan = (text: string, bounds?: HeaderBounds) => {
  const bytes = Buffer.from(text, 'latin1');
  const { fields, bodyAt, problems } = scanHeader(bytes, 0, bytes.length, bounds);
  return {
    fields: fields.map(({ name, start, end }) => [name, text.slice(start, end)]),
    values: fields.map(({ valueAt, end }) => text.slice(valueAt, end)),
    body: text.slice(bodyAt),
    problems,
  };
};

describe('scanHeader', () => {
  it('finds every field as it stands, repeated and folded ones included', () => {
    expect(scan('A: 1\r\nb:2\r\n\t3\r\nA:\r\n\r\nbody')).toEqual({
      fields: [
        ['a', 'A: 1'],
        ['b', 'b:2\r\n\t3'],
        ['a', 'A:'],
      ],
      values: [' 1', '2\r\n\t3', ''],
      body: 'body',
      problems: [],
    });
  });

  it.each([
    ['a line feed alone', 'A: 1\nB: 2\r\n\r\n', { kind: 'line_end', line: 1 }],
    ['an empty line of a line feed alone', 'A: 1\r\n\n', { kind: 'line_end', line: 2 }],
    ['a line without a colon', 'A: 1\r\nnothing\r\n\r\n', { kind: 'no_field', line: 2 }],
    ['an empty name', 'A: 1\r\n: 2\r\n\r\n', { kind: 'no_field', line: 2 }],
    ['a name with a space in it', 'A: 1\r\nB C: 2\r\n\r\n', { kind: 'no_field', line: 2 }],
    ['a name behind a no-break space', 'A: 1\r\n\xa0From: 2\r\n\r\n', { kind: 'no_field', line: 2 }],
    ['a name behind a byte order mark', '\xef\xbb\xbfFrom: 2\r\n\r\n', { kind: 'no_field', line: 1 }],
    ['a first line that continues', ' A: 1\r\n\r\n', { kind: 'no_field', line: 1 }],
    ['white space before the colon', 'A : 1\r\n\r\n', { kind: 'space_before_colon', line: 1 }],
    ['a continuation of white space alone', 'A: 1\r\n \t\r\n\r\n', { kind: 'blank_fold', line: 2 }],
    ['no empty line at its end', 'A: 1\r\n', { kind: 'unended', line: 2 }],
  ])('notes %s', (_what, text, problem) => {
    expect(scan(text).problems).toEqual([problem]);
  });

  it('skips a line that is no field together with its continuations', () => {
    const { fields } = scan('A: 1\r\nnothing\r\n From: x\r\nB: 2\r\n\r\n');
    expect(fields.map(([name]) => name)).toEqual(['a', 'b']);
  });

  it('reads so many lines and bytes, and finds the body behind the others', () => {
    const text = `${'A: 1\r\n'.repeat(5)}\r\nbody`;
    for (const bounds of [
      { maxLines: 2, maxBytes: 1_000 },
      { maxLines: 100, maxBytes: 12 },
    ]) {
      const { fields, body, problems } = scan(text, bounds);
      expect([fields.length, body, problems]).toEqual([2, 'body', [{ kind: 'too_long', line: 3 }]]);
    }
  });
});
