import { describe, expect, it } from 'vitest';
import { changedRules, parseDefault, showDefault } from './rules.ts';

const price = { name: 'price', type: 'number' };

describe('rules about variables', () => {
  it('come with what is asked for, and go with it', () => {
    const required = changedRules([], price, { required: true });
    expect(required).toEqual([{ name: 'price', type: 'number', required: true }]);
    const withDefault = changedRules(required, price, { default_value: 5 });
    expect(withDefault).toEqual([{ name: 'price', type: 'number', required: true, default_value: 5 }]);
    const optional = changedRules(withDefault, price, { required: false });
    expect(optional).toEqual([{ name: 'price', type: 'number', default_value: 5 }]);
    expect(changedRules(optional, price, { default_value: undefined })).toEqual([]);
  });

  it('stay for another type than the one that was found, and leave others alone', () => {
    const other = { name: 'name', type: 'string' as const, required: true };
    expect(changedRules([other], price, { type: 'string' })).toEqual([
      other,
      { name: 'price', type: 'string' },
    ]);
  });

  it('read a default as it is meant', () => {
    expect(parseDefault('5', 'number')).toBe(5);
    expect(parseDefault('5', 'string')).toBe('5');
    expect(parseDefault('["a"]', 'array')).toEqual(['a']);
    expect(parseDefault('five', 'number')).toBe('five');
    expect(parseDefault(' ', 'string')).toBeUndefined();
    expect(showDefault(['a'])).toBe('["a"]');
  });
});
