import { describe, expect, it } from 'vitest';
import { insertionOf, knownVariables, scopesAt } from './insertion.ts';

const text = (name: string, before = '', type = 'string') => insertionOf({ name, type }, before).text;

describe('inserting a variable', () => {
  it('writes its name', () => {
    expect(text('user.name')).toBe('{{user.name}}');
  });

  it('writes a loop around a value of a list', () => {
    expect(text('orders[].items[].title')).toBe(
      '{{#each orders}}{{#each this.items}}{{this.title}}{{/each}}{{/each}}',
    );
    expect(text('tags', '', 'array')).toBe('{{#each tags}}{{this}}{{/each}}');
  });

  it('refers to the item inside of its loop', () => {
    expect(text('items[].title', '{{#each items}}')).toBe('{{this.title}}');
    expect(text('items[].title', '{{#each items}}a{{/each}}')).toBe('{{#each items}}{{this.title}}{{/each}}');
    expect(text('tags[]', '{{#each tags}}')).toBe('{{this}}');
    expect(text('a[].b[].c', '{{#each a}}{{#if x}}{{#each this.b}}')).toBe('{{this.c}}');
  });

  it('refers to all of the data for other values inside of a loop', () => {
    expect(text('currency', '{{#each items}}')).toBe('{{@root.currency}}');
    expect(text('user.name', '{{#with user}}')).toBe('{{this.name}}');
  });

  it('leaves the caret inside of a condition', () => {
    expect(insertionOf({ name: 'paid', type: 'boolean' }, '')).toEqual({
      text: '{{#if paid}}{{/if}}',
      caret: 12,
    });
  });

  it('knows the loops around a place', () => {
    expect(scopesAt('{{#each a}}{{#each this.b}}x{{/each}}{{#with @root.c}}')).toEqual(['a[]', 'c']);
  });

  it('offers what the template uses, its rules name and its sample data has, each once', () => {
    const variables = knownVariables(
      [
        { name: 'name', type: 'string' },
        { name: 'items', type: 'array' },
        { name: 'items[].title', type: 'string' },
      ],
      [{ name: 'plan', type: 'string' }],
      { name: 'Ada', items: [{ title: 'Tea', price: 4.5 }], user: { id: 1 }, tags: ['a'] },
    );
    expect(variables.map(({ name }) => name)).toEqual([
      'plan',
      'name',
      'items[].title',
      'items[].price',
      'user.id',
      'tags',
    ]);
  });
});
