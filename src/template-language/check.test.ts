import { describe, expect, it } from 'vitest';
import { compilePart, compileTemplate } from './template.ts';
import type { TemplateProblem } from './tree.ts';

function errorsOf(source: string): readonly TemplateProblem[] {
  const result = compilePart('html', source);
  return result.ok ? [] : result.errors;
}

function brief(source: string): string[] {
  return errorsOf(source).map(({ code, line, column }) => `${line}:${column} ${code}`);
}

function messageOf(source: string): string {
  return errorsOf(source)
    .map(({ message }) => message)
    .join('\n');
}

describe('blocks', () => {
  it('that are never closed are reported where they open', () => {
    expect(errorsOf('a\n  {{#if x}}b')).toEqual([
      {
        code: 'unclosed_block',
        part: 'html',
        message: '{{#if}} is never closed: add {{/if}}.',
        line: 2,
        column: 3,
      },
    ]);
  });

  it('that are crossed are distinguished from the one that is closed', () => {
    expect(messageOf('{{#each a}}\n{{#if b}}\n{{/each}}')).toBe(
      '{{#if}} is never closed before {{/each}} at 3:1: add {{/if}}.',
    );
  });

  it('closed with a misspelt name are one mistake', () => {
    expect(messageOf('{{#each a}}{{/eahc}}')).toBe(
      '{{/eahc}} does not match {{#each}} from 1:1: write {{/each}}.',
    );
  });

  it('that are closed without being open, or a misplaced else, are refused', () => {
    expect(brief('{{/if}} {{else}} {{#if a}}{{else}}{{else}}{{/if}}')).toEqual([
      '1:1 unexpected_close',
      '1:9 misplaced_else',
      '1:35 misplaced_else',
    ]);
  });

  it('with an unknown name get a hint how to write them here', () => {
    expect(messageOf('{{#items}}x{{/items}}')).toContain('{{#each items}} to repeat, {{#if items}} to test');
    expect(messageOf('{{#eech items}}x{{/eech}}')).toContain('Did you mean {{#each …}}?');
    expect(messageOf('{{#ifEquals a b}}x{{/ifEquals}}')).toContain('write {{#equals a b}}');
    expect(messageOf('{{#length a}}x{{/length}}')).toContain('write {{#if (length list)}}');
  });

  it('accept as many values as they need', () => {
    expect(brief('{{#if}}{{/if}}{{#if a b}}{{/if}}{{#each}}{{/each}}{{#unless}}{{/unless}}')).toEqual(
      ['1:1', '1:15', '1:33', '1:51'].map((place) => `${place} wrong_arguments`),
    );
    expect(messageOf('{{#if a b}}{{/if}}')).toContain('{{#if (and a b)}}');
  });

  it('define no more parameters than they have, and no reserved names', () => {
    expect(brief('{{#each a as |x y z|}}{{/each}}')).toEqual(['1:1 wrong_arguments']);
    expect(brief('{{#if a as |x|}}{{/if}}')).toEqual(['1:1 wrong_arguments']);
    expect(brief('{{#each a as |x x|}}{{/each}}')).toEqual(['1:1 wrong_arguments']);
    expect(brief('{{#each a as |if|}}{{/each}}')).toEqual(['1:1 forbidden_name']);
  });
});

describe('helpers', () => {
  it('that do not exist come with the nearest one or a replacement', () => {
    expect(messageOf('{{uper x}}')).toContain('Did you mean {{upper text}}?');
    expect(messageOf('{{uppercase x}}')).toContain('write {{upper text}}');
    expect(messageOf('{{elseif x}}')).toContain('write {{else if …}}');
    expect(messageOf('{{if x}}')).toContain('write {{#if …}}…{{/if}}');
  });

  it('that are a name with a space are suggested in brackets', () => {
    expect(messageOf('{{first name}}')).toContain('write {{[first name]}}');
  });

  it('are checked for the number of arguments, also inside parentheses', () => {
    expect(brief('{{eq a}}\n{{#if (gt a)}}{{/if}}\n{{upper a b}}')).toEqual([
      '1:1 wrong_arguments',
      '2:7 wrong_arguments',
      '3:1 wrong_arguments',
    ]);
  });

  it('that take a text check it when it is a literal', () => {
    expect(messageOf('{{insert name "there"}}')).toContain('{{insert name "default=there"}}');
    expect(messageOf('{{formatDate at "YYYY" "Berlin"}}')).toContain('"+0100"');
  });
});

describe('what the language does not have', () => {
  it.each([
    ['partial blocks', '{{#> layout}}x{{/layout}}'],
    ['decorators', '{{* x}}'],
    ['inline partials', '{{#*inline "a"}}x{{/inline}}'],
    ['raw blocks', '{{{{raw}}}} {{x}} {{{{/raw}}}}'],
    ['named arguments', '{{#if a includeZero=true}}{{/if}}'],
    ['calls as a tag', '{{(upper x)}}'],
  ])('%s are refused', (_, source) => {
    expect(errorsOf(source).map(({ code }) => code)).toContain('not_supported');
  });

  it('literals and calls in place of a name are refused', () => {
    expect(brief('{{"x"}}{{12}}{{true}}')).toEqual(['1:1', '1:8', '1:14'].map((at) => `${at} invalid_path`));
    expect(brief('{{#each (or a b)}}{{/each}}')).toEqual(['1:1 wrong_arguments']);
  });

  it('operators are refused with a suggested helper', () => {
    expect(messageOf('{{#if a && b}}{{/if}}')).toContain('{{#if (and a b)}}');
    expect(messageOf('{{#if a == b}}{{/if}}')).toContain('{{#if (eq a b)}}');
  });
});

describe('names', () => {
  it('that lead to a prototype are refused everywhere', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      for (const path of [name, `a.${name}`, `a.[${name}].b`, `@root.${name}`, `this.${name}`]) {
        expect(errorsOf(`{{${path}}}`)[0]?.code, path).toBe('forbidden_name');
        expect(errorsOf(`{{#if (eq ${path} 1)}}{{/if}}`)[0]?.code, path).toBe('forbidden_name');
        expect(errorsOf(`{{#each ${path}}}{{/each}}`)[0]?.code, path).toBe('forbidden_name');
      }
    }
  });

  it('that leave more blocks than there are get a hint that if does not count', () => {
    expect(messageOf('{{#if a}}{{../b}}{{/if}}')).toContain('{{#if}} does not count');
    expect(brief('{{#each a}}{{../b}}{{#with c}}{{../../d}}{{/with}}{{/each}}')).toEqual([]);
  });

  it('after @ are only those of loops', () => {
    expect(messageOf('{{@foo}}')).toContain('@index, @key, @first, @last, @root');
    expect(brief('{{#each a}}{{@index}}{{@key}}{{@first}}{{@last}}{{@root.x}}{{/each}}')).toEqual([]);
  });

  it('are limited in length and number', () => {
    expect(brief(`{{${'a'.repeat(65)}}}`)).toEqual(['1:3 invalid_path']);
    expect(brief(`{{${'a.'.repeat(10)}a}}`)).toEqual(['1:3 invalid_path']);
    expect(brief(`{{${'a.'.repeat(9)}${'a'.repeat(64)}}}`)).toEqual([]);
  });

  it('that the parser cannot read come with a valid spelling', () => {
    expect(messageOf('{{items.0}}')).toContain('{{items.[0]}}');
    expect(messageOf('{{a.this.b}}')).toContain('only at the beginning');
    expect(messageOf("{{user's name}}")).toContain('apostrophe');
    expect(messageOf('{{foo..bar}}')).toContain('one dot');
    expect(brief('{{[first name]}} {{user.[last name]}}')).toEqual([]);
  });
});

describe('all errors', () => {
  it('are reported at once, in order, with lines and columns, also when blocks are broken', () => {
    const source = '{{upper}}\n {{bad helper}}\n{{#if x}}{{* p}}\n{{a..}} {{/each}}\n  {{eq 1}}';
    expect(brief(source)).toEqual([
      '2:2 unknown_helper',
      '3:1 unclosed_block',
      '3:10 not_supported',
      '4:1 invalid_path',
      '4:9 unexpected_close',
      '5:3 wrong_arguments',
    ]);
  });

  it('of every part are in one result, each with the name of its part', () => {
    const result = compileTemplate({ subject: '{{a', html: '{{#if x}}', text: '{{* y}}' });
    expect(result.ok ? [] : result.errors.map(({ part, code }) => `${part} ${code}`)).toEqual([
      'subject unclosed_tag',
      'html unclosed_block',
      'text not_supported',
    ]);
  });

  it('count lines with every kind of line break', () => {
    expect(brief('a\r\nb\r\n {{> x}}')).toEqual(['3:2 unknown_partial']);
    expect(brief('{{#if\n  a\n}}\n{{b c\n}}{{/if}}')).toEqual(['4:1 unknown_helper']);
  });

  it('are empty for a missing part', () => {
    expect(compileTemplate({ subject: 'Hi', html: null })).toMatchObject({
      ok: true,
      template: { html: null, text: null },
    });
  });
});
