import { describe, expect, it } from 'vitest';
import { compileTemplate, detectVariables, type TemplateSource } from './template.ts';

function detect(source: TemplateSource): Record<string, string> {
  const compiled = compileTemplate(source);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  return Object.fromEntries(
    detectVariables(compiled.template).map(({ name, type, required }) => [
      name,
      required ? type : `${type}?`,
    ]),
  );
}

describe('detected variables', () => {
  it('follow loops, ../ and nested lists', () => {
    const html = '{{#each items}}{{this.name}}{{../currency}}{{#each tags}}{{this}}{{/each}}{{/each}}';
    expect(detect({ html })).toEqual({
      items: 'array',
      'items[].name': 'string',
      currency: 'string',
      'items[].tags': 'array',
      'items[].tags[]': 'string',
    });
  });

  it('follow block parameters, with and @root', () => {
    const html =
      '{{#each items as |item i|}}{{item.a}}{{i}}{{@index}}{{#with item.b as |w|}}{{w.c}}{{d}}{{@root.e}}{{/with}}{{/each}}';
    expect(detect({ html })).toEqual({
      items: 'array',
      'items[].a': 'string',
      'items[].b': 'object',
      'items[].b.c': 'string',
      'items[].b.d': 'string',
      e: 'string',
    });
  });

  it('are not required when they are only tested, only used conditionally or have a default', () => {
    const html = '{{#if a}}{{b}}{{else}}{{c}}{{/if}}{{c}}{{default d "x"}}{{#each e}}{{else}}{{f}}{{/each}}';
    expect(detect({ html })).toEqual({
      a: 'boolean?',
      b: 'string?',
      c: 'string',
      d: 'string?',
      e: 'array',
      f: 'string?',
    });
  });

  it('have the type of their strongest use', () => {
    const html =
      '{{#if a}}{{a}}{{/if}}{{#if b}}{{#each b}}{{/each}}{{/if}}{{#if c}}{{c.d}}{{/if}}{{#if (gt e 1)}}{{e}}{{/if}}{{formatDate f "YYYY"}}{{f}}{{length g}}';
    expect(detect({ html })).toEqual({
      a: 'string?',
      b: 'array?',
      c: 'object?',
      'c.d': 'string?',
      e: 'number?',
      f: 'date',
      g: 'array',
    });
  });

  it('are merged over the parts, with all their positions', () => {
    const compiled = compileTemplate({ subject: '{{a}}', html: 'x\n {{#if b}}{{a}}{{/if}}', text: '{{a}}' });
    expect(compiled.ok && detectVariables(compiled.template)[0]).toEqual({
      name: 'a',
      type: 'string',
      required: true,
      places: [
        { part: 'subject', line: 1, column: 3 },
        { part: 'html', line: 2, column: 13 },
        { part: 'text', line: 1, column: 3 },
      ],
    });
  });

  it('do not list the length of a list as a field of it', () => {
    expect(detect({ html: '{{items.length}}{{#each items}}{{/each}}{{box.length}}' })).toEqual({
      items: 'array',
      'box.length': 'string',
    });
  });
});
