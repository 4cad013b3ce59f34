import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.ts';
import { PIECE_LIMITS, RENDER_LIMITS } from './limits.ts';
import type { Partials, Piece } from './pieces.ts';
import { renderContent, type TemplateData } from './render.ts';
import { compileInTurns, compileTemplate, detectVariables, type TemplateSource } from './template.ts';

const data = { name: 'Ada <3', items: [{ price: 1 }, { price: 2 }], shop: { title: 'A & B' } };

describe('a partial', () => {
  it('is inserted where it is used, with the same escaping as inline text', () => {
    const partials = named({ greeting: 'Hello {{name}}, {{{name}}}' });
    expect(html('<p>{{> greeting}}</p>', { partials })).toBe('<p>Hello Ada &lt;3, Ada <3</p>');
  });

  it('is not escaped in a text part, where its text version is used', () => {
    const partials = new Map([['greeting', piece('greeting', '<b>{{name}}</b>', 'Hello {{name}}')]]);
    const result = rendered({ subject: 's', text: '{{> greeting}}!' }, { partials });
    expect(result.text).toBe('Hello Ada <3!');
  });

  it('sees the data of its position', () => {
    const partials = named({ row: '[{{@index}} {{price}} {{@root.name}}]', title: '{{title}}' });
    const source = '{{#each items}}{{> row}}{{/each}}{{#with shop}}{{> title}}{{/with}}';
    expect(html(source, { partials })).toBe('[0 1 Ada &lt;3][1 2 Ada &lt;3]A &amp; B');
  });

  it.each([
    '{{#each items}}\n  {{> row}}\n{{/each}}\nend',
    'a {{~> row ~}} b',
    '{{#if name}}{{> row}}{{else}}-{{/if}}',
    '{{> row}}{{> row}}',
  ])('renders to the same bytes as in Handlebars: %s', (source) => {
    const row = '<td>\n{{price}}{{#if name}}{{name}}{{/if}}</td>\n';
    const theirs = Handlebars.create();
    theirs.registerPartial('row', row);
    const wanted = theirs.compile(source, { preventIndent: true })(data);
    expect(html(source, { partials: named({ row }) })).toBe(wanted);
  });

  it('names its variables relative to its position', () => {
    const compiled = compileTemplate(
      { html: '{{#each items as |it|}}{{> row}}{{/each}}' },
      around({ partials: named({ row: '{{price}}' }) }),
    );
    const found = compiled.ok ? detectVariables(compiled.template) : [];
    expect(found.map(({ name }) => name)).toEqual(['items', 'items[].price']);
    expect(found[1]?.places[0]).toMatchObject({ line: 1, column: 3, source: 'the partial "row"' });
  });

  it.each([
    ['../', '{{#each items}}{{> p}}{{/each}}', '{{../name}}'],
    ['names of blocks', '{{#each items as |it|}}{{> p}}{{/each}}', '{{#with it}}{{../../x}}{{/with}}'],
  ])('does not see %s of what is around it', (_, source, inner) => {
    expect(errors(source, { partials: named({ p: inner }) })).toEqual([
      expect.stringContaining('the partial "p" 1:'),
    ]);
  });

  it('that is missing is reported by name, at its line', () => {
    expect(errors('a\n{{> nobody}}', {})).toEqual(['template 2:1 unknown_partial']);
  });

  it.each([
    ['values', '{{> p x}}'],
    ['named values', '{{> p x=1}}'],
    ['a name that is made', '{{> (upper x)}}'],
  ])('takes no %s', (_, source) => {
    expect(errors(source, { partials: named({ p: 'x' }) })).toEqual(['template 1:1 wrong_partial']);
  });

  it('cannot stand in a subject', () => {
    const result = compileTemplate({ subject: '{{> p}}' }, around({ partials: named({ p: 'x' }) }));
    expect(result.ok ? [] : result.errors.map(({ code }) => code)).toEqual(['wrong_partial']);
  });

  it('that includes itself is refused, also indirectly', () => {
    const a = { ...piece('a', '{{> b}}'), partials: new Map<string, Piece>() };
    const b = { ...piece('b', '{{> a}}'), partials: new Map([['a', a]]) };
    a.partials.set('b', b);
    expect(errors('{{> a}}', { partials: new Map([['a', a]]) })).toEqual([
      'the partial "b" 1:1 wrong_partial',
    ]);
  });

  it('that multiplies its uses is refused early', () => {
    let inner = piece('p0', 'x'.repeat(1000));
    for (let depth = 1; depth < PIECE_LIMITS.depth; depth += 1) {
      inner = { ...piece(`p${depth}`, '{{> p}}'.repeat(90)), partials: new Map([['p', inner]]) };
    }
    const partials = new Map([['p', inner]]);
    const check = () => expect(errors('{{> p}}'.repeat(90), { partials }).length).toBeGreaterThan(0);
    expect(cpuMs(check, 5_000)).toBeLessThan(5_000);
  });

  it('counts for the budgets of the mail like inline text', () => {
    const partials = named({
      p: '{{#each items}}{{#each ../items}}{{#each ../../items}}x{{/each}}{{/each}}{{/each}}',
    });
    const items = Array.from({ length: 100 }, () => ({}));
    const compiled = compileTemplate({ html: '\n{{> p}}' }, around({ partials }));
    if (!compiled.ok) throw new Error('does not compile');
    const result = renderContent(compiled.template, { items });
    expect(result.ok ? '' : result.problem.message).toContain('the partial "p", line 1');
    expect(RENDER_LIMITS.iterations).toBeLessThan(1_000_000);
  });
});

describe('a layout', () => {
  const layout = {
    ...piece('main', '<html>{{{content}}}<i>{{name}}</i></html>', '{{{content}}}\n-- \n{{name}}'),
  };

  it('surrounds html and text, and never the subject', () => {
    const result = rendered(
      { subject: 'S {{name}}', html: '<p>{{name}}</p>', text: 'T {{name}}' },
      { layout },
    );
    expect(result).toMatchObject({
      subject: 'S Ada <3',
      html: '<html><p>Ada &lt;3</p><i>Ada &lt;3</i></html>',
      text: 'T Ada <3\n-- \nAda <3',
    });
  });

  it('does not fill its slot with a value of the data', () => {
    const source = { html: 'own' };
    const result = rendered(source, { layout }, { ...data, content: '<script>' });
    expect(result.html).toBe('<html>own<i>Ada &lt;3</i></html>');
  });

  it('leaves content a variable in the template itself', () => {
    const result = rendered({ html: '{{content}}' }, { layout }, { content: '<b>' });
    expect(result.html).toBe('<html>&lt;b&gt;<i></i></html>');
  });

  it('has no part that the template does not have', () => {
    expect(rendered({ html: 'x' }, { layout }).text).toBeNull();
  });

  it.each([
    ['no slot', '<html></html>'],
    ['an escaped slot', '<html>{{content}}</html>'],
    ['its slot in a loop', '{{#each items}}{{{content}}}{{/each}}'],
    ['its slot in another object', '{{#with shop}}{{{content}}}{{/with}}'],
  ])('with %s is refused', (_, source) => {
    const result = compileTemplate({ html: source }, around({ isLayout: true }));
    expect(result.ok ? [] : result.errors.map(({ code }) => code)).toEqual(['wrong_layout']);
  });

  it('may have its slot in a condition', () => {
    const source = '{{#if name}}<b>{{{content}}}</b>{{else}}{{{content}}}{{/if}}';
    expect(rendered({ html: 'x' }, { layout: piece('l', source) }).html).toBe('<b>x</b>');
  });

  it('is named in its errors', async () => {
    const broken = piece('main', 'a\n{{#if x}}{{{content}}}');
    const result = await compileInTurns({ html: 'x' }, around({ layout: broken }));
    expect(result.ok ? [] : result.errors).toMatchObject([{ source: 'the layout "main"', line: 2 }]);
  });
});

function piece(name: string, html: string, text = ''): Piece {
  const kind = html.includes('content}') ? 'layout' : 'partial';
  return { title: `the ${kind} "${name}"`, source: { html, text }, partials: new Map() };
}

function named(sources: Record<string, string>): Partials {
  return new Map(Object.entries(sources).map(([name, source]) => [name, piece(name, source)]));
}

type Around = { layout?: Piece; partials?: Partials; isLayout?: boolean };

function around({ layout, partials, isLayout = false }: Around) {
  return { layout: layout ?? null, partials: partials ?? new Map(), isLayout };
}

function rendered(source: TemplateSource, pieces: Around, given: TemplateData = data) {
  const compiled = compileTemplate(source, around(pieces));
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  const result = renderContent(compiled.template, given);
  if (!result.ok) throw new Error(result.problem.message);
  return result;
}

function html(source: string, pieces: Around): string | null {
  return rendered({ html: source }, pieces).html;
}

function errors(source: string, pieces: Around): string[] {
  const result = compileTemplate({ html: source }, around(pieces));
  if (result.ok) return [];
  return result.errors.map(
    ({ code, line, column, source: of = 'template' }) => `${of} ${line}:${column} ${code}`,
  );
}
