import { describe, expect, it } from 'vitest';
import { applyEachRule, applyVariableSchema } from './apply-schema.ts';
import { checkVariableSchema, type VariableRule, type VariableSchema } from './variable-schema.ts';

const rule = (name: string, type: VariableRule['type'], rest: Partial<VariableRule> = {}): VariableRule => ({
  name,
  type,
  ...rest,
});

function fieldsOf(schema: VariableSchema, data: Record<string, unknown>): string[] {
  const result = applyVariableSchema(schema, data);
  return result.ok ? [] : result.problems.map(({ field }) => field);
}

describe('a variable schema', () => {
  it('accepts paths, list items and matching defaults', () => {
    const schema = [
      rule('name', 'string', { required: true, default_value: 'there' }),
      rule('user.first_name', 'string', { default_value: null }),
      rule('items', 'array', { default_value: [] }),
      rule('items[].price', 'number', { default_value: 0 }),
      rule('at', 'date', { default_value: '2026-11-15' }),
    ];
    expect(checkVariableSchema(schema)).toEqual([]);
  });

  it('refuses invalid paths, duplicate names, unknown types and defaults that do not match', () => {
    const schema = [
      rule('a b', 'string'),
      rule('__proto__', 'string'),
      rule('x', 'string'),
      rule('x', 'number', { default_value: '1' }),
      rule('y', 'text' as 'string'),
      rule('z', 'date', { default_value: 'soon' }),
      rule('w', 'array', { default_value: {} }),
    ];
    expect(checkVariableSchema(schema).map(({ field }) => field)).toEqual([
      'variable_schema[0].name',
      'variable_schema[1].name',
      'variable_schema[3].name',
      'variable_schema[3].default_value',
      'variable_schema[4].type',
      'variable_schema[5].default_value',
      'variable_schema[6].default_value',
    ]);
  });
});

describe('applying it', () => {
  it('fills in defaults for what is missing or null, never for an empty text', () => {
    const schema = [
      rule('a', 'string', { default_value: 'x' }),
      rule('b', 'string', { default_value: 'x' }),
      rule('c', 'string', { default_value: 'x' }),
    ];
    expect(applyVariableSchema(schema, { a: '', b: null })).toEqual({
      ok: true,
      data: { a: '', b: 'x', c: 'x' },
    });
  });

  it('fills in inside objects and items without changing the input', () => {
    const given = { items: [{ price: 1 }, {}], extra: 1 };
    const schema = [
      rule('items[].price', 'number', { default_value: 0 }),
      rule('user.name', 'string', { default_value: 'x' }),
    ];
    expect(applyVariableSchema(schema, given)).toEqual({
      ok: true,
      data: { items: [{ price: 1 }, { price: 0 }], extra: 1, user: { name: 'x' } },
    });
    expect(given).toEqual({ items: [{ price: 1 }, {}], extra: 1 });
  });

  it('fills in a list before it visits the items', () => {
    const schema = [
      rule('l[].a', 'string', { default_value: 'x' }),
      rule('l', 'array', { default_value: [{}] }),
    ];
    expect(applyVariableSchema(schema, {})).toEqual({ ok: true, data: { l: [{ a: 'x' }] } });
  });

  it('reports everything that is missing or of another type, with its path', () => {
    const schema = [
      rule('name', 'string', { required: true }),
      rule('user.name', 'string', { required: true }),
      rule('items', 'array', { required: true }),
      rule('items[].price', 'number', { required: true }),
      rule('vip', 'boolean'),
      rule('at', 'date'),
    ];
    const data = { items: [{ price: 1 }, {}, { price: '2' }], vip: 'yes', at: 'soon', name: null };
    expect(fieldsOf(schema, data).toSorted()).toEqual([
      'template_data.at',
      'template_data.items[1].price',
      'template_data.items[2].price',
      'template_data.name',
      'template_data.user.name',
      'template_data.vip',
    ]);
  });

  it('refuses a text where a required field of an object should be', () => {
    expect(fieldsOf([rule('user.name', 'string', { required: true })], { user: 'Bob' })).toEqual([
      'template_data.user',
    ]);
  });

  it('reads own properties only and writes none into a prototype', () => {
    const data = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
    const result = applyVariableSchema([rule('toString', 'string', { default_value: 'x' })], data);
    expect(result).toMatchObject({ ok: true, data: { toString: 'x' } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('hostile rules and data', () => {
  const many = Array.from({ length: 200 }, (_, i) => i);
  const items = Array.from({ length: 45_000 }, () => 1);

  it('are reported as too much once, and not processed further', () => {
    const schema = many.map((i) => rule(`items[].f${i}`, 'string'));
    expect(applyVariableSchema(schema, { items })).toEqual({
      ok: false,
      problems: [{ field: 'template_data', message: expect.stringContaining('send fewer items') }],
    });
    const { data, problems } = applyEachRule(schema, { items }, 'data');
    expect(problems).toHaveLength(1);
    expect(data).toEqual({ items });
  });

  it('list a limited number of problems', () => {
    const schema = many.map((i) => rule(`items[].f${i}`, 'string', { required: true }));
    const result = applyVariableSchema(schema, { items });
    expect(result.ok ? [] : result.problems).toHaveLength(50);
  });

  it('have defaults no larger than data may be', () => {
    const wide = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, 1]));
    for (const default_value of ['x'.repeat(300_000), wide]) {
      const type = typeof default_value === 'string' ? 'string' : 'object';
      const found = checkVariableSchema([rule('a', type, { default_value })]);
      expect(found).toEqual([{ field: 'variable_schema', message: expect.stringContaining('too large') }]);
    }
  });
});
