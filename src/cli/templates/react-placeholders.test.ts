import { describe, expect, it } from 'vitest';
import { NotPushable, placeholdersFor } from './react-placeholders.ts';
import { checkShown, reachingOut, readableTags, textWithTags } from './react-template.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a component does with its properties.
const props = (sample: object): any => placeholdersFor(sample).props;

describe('placeholder props of a component', () => {
  it('are a tag for a text, a number and a date, and for values without a sample', () => {
    const { name, order, other } = props({ name: 'Ada', order: { id: 7, at: new Date() } });
    expect([name, order.id, order.at, other]).toEqual([
      '{{name}}',
      '{{order.id}}',
      '{{order.at}}',
      '{{other}}',
    ]);
  });

  it('show one item of a list, in a loop, with the fields of all of them', () => {
    const { items } = props({ items: [{ a: 1 }, { b: [{ c: 1 }] }] });
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const show = (item: any) => [item.a, item.b.map((one: any) => one.c)];
    expect(items.map(show).flat(3).join('')).toBe(
      '{{#each items as |item|}}{{item.a}}{{#each item.b as |item2|}}{{item2.c}}{{/each}}{{/each}}',
    );
  });

  it.each([
    ['a condition', { paid: true }, ({ paid }) => paid, '{{#if paid}}'],
    ['the length of a list', { items: [1] }, ({ items }) => items.length, '{{#if items}}'],
    ['a filter', { items: [1] }, ({ items }) => items.filter(Boolean), 'only `map`'],
    ['an empty list', { items: [] }, ({ items }) => items, 'is empty'],
    [
      'a calculated index',
      { items: [1] },
      ({ items }) => items.map((_: unknown, i: number) => i % 2),
      '{{@index}}',
    ],
    ['all properties without a sample', {}, (all) => ({ ...all }), 'export `variables`'],
    // biome-ignore lint/suspicious/noExplicitAny: as above.
  ] as [string, object, (all: any) => unknown, string][])('cannot stand for %s', (_, sample, use, words) => {
    expect(() => use(props(sample))).toThrow(NotPushable);
    expect(() => use(props(sample))).toThrow(words);
  });

  it('is passed on with what is known of it', () => {
    expect({ ...props({ name: 'Ada', user: { id: 1 } }) }).toEqual({
      name: '{{name}}',
      user: { id: '{{user.id}}' },
    });
  });
});

describe('what a rendered component becomes', () => {
  it('has readable tags, and character references everywhere else', () => {
    expect(readableTags('{{#if (eq a &quot;b&quot;)}}&amp;{{/if}}{{&gt; foot}}')).toBe(
      '{{#if (eq a "b")}}&amp;{{/if}}{{> foot}}',
    );
  });

  it('is refused when it changes a value that it was given', () => {
    const reads = new Map([['{{name}}', 'name']]);
    expect(() => checkShown('Hi {{NAME}}', { reads })).toThrow(
      'reads `name`, and {{name}} is not in what it renders',
    );
  });

  it("reaches out of its loops, but not out of the author's own", () => {
    const roots = new Set(['name', 'tags']);
    expect(
      reachingOut(
        '{{name}}{{#each items as |item|}}{{name}}{{item.name}}{{#each tags as |item2|}}{{/each}}{{/each}}{{name}}{{#each x}}{{name}}{{/each}}',
        roots,
      ),
    ).toBe(
      '{{name}}{{#each items as |item|}}{{@root.name}}{{item.name}}{{#each @root.tags as |item2|}}{{/each}}{{/each}}{{name}}{{#each x}}{{name}}{{/each}}',
    );
  });

  it('has no empty lines in its text where a block begins or ends between others', () => {
    const text = 'Hi\n\n{{#each a as |item|}}\n\n{{item}}\n\n{{/each}}\n\nBye {{#if b}}\n\nnow{{/if}}';
    expect(textWithTags(text, text)).toBe(
      'Hi\n\n{{#each a as |item|}}{{item}}\n\n{{/each}}Bye {{#if b}}\n\nnow{{/if}}',
    );
  });

  it.each([
    ['HELLO {{NAME}}', '<h1>Hello {{name}}</h1>'],
    ['{{#if a}}x', '{{#if a}}x{{/if}}'],
  ])('has no text where that has lost a tag: %s', (text, html) => {
    expect(textWithTags(text, html)).toBeNull();
    expect(textWithTags('fine', '<p>fine</p>')).toBe('fine');
  });
});
