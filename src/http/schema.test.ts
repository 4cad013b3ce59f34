import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { checked, strictObject } from './schema.ts';
import { createValidatorCompiler } from './validation.ts';

describe('checked', () => {
  it('keeps the existing check of a schema, and leaves the schema unchanged', () => {
    const short = checked(Type.String(), (text, problems) => {
      if (text.length > 3) problems.add('', 'is too long');
    });
    const shortAndLower = checked(short, (text, problems) => {
      if (text !== text.toLowerCase()) problems.add('', 'must be lower case');
    });
    const compile = createValidatorCompiler();
    const messagesOf = (schema: typeof short, code: string) => {
      const result = compile({ schema: strictObject({ code: schema }) })({ code });
      return 'error' in result ? (result.error as Error & { problems: unknown[] }).problems : [];
    };
    expect(messagesOf(shortAndLower, 'LONG')).toEqual([
      { field: 'code', message: 'is too long' },
      { field: 'code', message: 'must be lower case' },
    ]);
    expect(messagesOf(short, 'UP')).toEqual([]);
  });
});
