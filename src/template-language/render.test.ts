import { describe, expect, it } from 'vitest';
import { renderContent, renderPart, renderTemplate, type TemplateData } from './render.ts';
import { compilePart, compileTemplate, type TemplateSource } from './template.ts';
import type { PartName } from './tree.ts';

function render(source: string, data: TemplateData, part: PartName = 'html'): string {
  const compiled = compilePart(part, source);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  const result = renderPart(compiled.template, data);
  if (!result.ok) throw new Error(result.problem.message);
  return result.output;
}

function preview(source: TemplateSource, data: TemplateData) {
  const compiled = compileTemplate(source);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  const result = renderTemplate(compiled.template, data);
  if (!result.ok) throw new Error(result.problem.message);
  return result;
}

function warningsOf(html: string, data: TemplateData): string[] {
  return preview({ html }, data).warnings.map(
    ({ code, path, line, column }) => `${code} ${path}${line === null ? '' : ` ${line}:${column}`}`,
  );
}

describe('escaping', () => {
  const sign = { x: `C&A <"'\`=>` };

  it('in html equals that of Handlebars, with numeric entities', () => {
    expect(render('{{x}}', sign)).toBe('C&amp;A &lt;&quot;&#x27;&#x60;&#x3D;&gt;');
    expect(render('{{{x}}}{{&x}}', sign)).toBe(sign.x + sign.x);
  });

  it('does not happen in subject and text', () => {
    expect(render('{{x}} {{{x}}}', sign, 'subject')).toBe(`${sign.x} ${sign.x}`);
    expect(render('{{x}}', sign, 'text')).toBe(sign.x);
  });

  it('of a long text equals that of a short one', () => {
    const long = 'abc&'.repeat(100);
    expect(render('{{x}}', { x: long })).toBe(long.replaceAll('&', '&amp;'));
  });
});

describe('a subject', () => {
  it('is one line without control characters, so that it cannot begin another header', () => {
    expect(render('Hi {{x}}\r\nBcc: y', { x: 'a\r\nBcc: evil@example.org\u2028\u0000b' }, 'subject')).toBe(
      'Hi a Bcc: evil@example.org b Bcc: y',
    );
  });
});

describe('values', () => {
  it('that are missing or null are empty, false and 0 are printed', () => {
    expect(render('[{{a}}{{b}}{{c.d}}]{{d}}{{e}}', { b: null, d: false, e: 0 })).toBe('[]false0');
  });

  it('that are objects are empty, lists are joined with commas', () => {
    expect(render('[{{o}}] {{l}}', { o: { a: 1 }, l: [1, [2, null], { x: 1 }, 'x'] })).toBe('[] 1,2,,,x');
  });

  it('unescaped next to each other are not added up, as Handlebars would', () => {
    expect(render('{{{a}}}{{{b}}}', { a: 1, b: 2 })).toBe('12');
  });

  it('are read from own properties only', () => {
    expect(
      render('{{toString}}{{a.valueOf}}{{l.map}}{{s.length}}{{l.length}}', { a: {}, l: [1], s: 'abc' }),
    ).toBe('31');
  });
});

describe('chains of else if', () => {
  it('treat the last line as Handlebars 4.7 does, not as its newer parser', () => {
    const source = 'a\n  {{#if x}}\n  1\n  {{else if y}}\n  2\n  {{else}}\n  3\n  {{/if}}\nb';
    expect(render(source, { x: 1 })).toBe('a\n  1\nb');
    expect(render(source, {})).toBe('a\n  3\n  b');
  });
});

describe('helpers', () => {
  const data = {
    n: 5,
    s: '5',
    name: 'zoë',
    list: [1, 2],
    none: '',
    at: '2026-11-05T21:07:09+01:00',
    big: 10,
  };

  it.each([
    ['{{#equals n s}}same{{else}}other{{/equals}}', 'same'],
    ['{{#notEquals n 6}}other{{/notEquals}}', 'other'],
    [
      '{{#greaterThan big n}}more{{/greaterThan}}{{#lessThan big n}}less{{else}}not less{{/lessThan}}',
      'morenot less',
    ],
    ['{{#if (and n (not none))}}yes{{/if}}{{#or none list}}or{{/or}}', 'yesor'],
    ['{{#if (gte n 5)}}a{{/if}}{{#if (lte n 4)}}b{{else if (ne s "5")}}c{{else}}d{{/if}}', 'ad'],
    ['{{#greaterThan (length list) 1}}several{{/greaterThan}} {{length name}}', 'several 3'],
    ['{{upper name}} {{lower "ABC"}} {{capitalize name}}', 'ZOË abc Zoë'],
    ['{{default none "there"}} {{default missing name}}', 'there zoë'],
    ['{{insert none "default=Customer"}} {{insert name "default=x"}} {{insert missing}}', 'Customer zoë '],
    ['{{eq n 5}} {{gt n 5}}', 'true false'],
    ['{{gt "b" "a"}} {{lt "2026-01-01" "2026-02-01"}} {{gt "10" "9"}}', 'true true true'],
  ])('%s', (source, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  it.each([
    ['YYYY-MM-DD HH:mm:ss', '2026-11-05 20:07:09'],
    ['dddd, D MMMM YY', 'Thursday, 5 November 26'],
    ['ddd M/D h:mm A [at] Z', 'Thu 11/5 8:07 PM at +00:00'],
  ])('formatDate %s', (format, expected) => {
    expect(render(`{{formatDate at "${format}"}}`, data)).toBe(expected);
  });

  it('formatDate accepts an offset, seconds and milliseconds, and shows other values unchanged', () => {
    expect(render('{{formatDate at "HH:mm ZZ" "-0530"}}', data)).toBe('14:37 -0530');
    expect(render('{{formatDate a "YYYY"}}{{formatDate b "YYYY"}}', { a: 1e9, b: 1e12 })).toBe('20012001');
    expect(render('{{formatDate a "YYYY"}}', { a: 'soon' })).toBe('soon');
  });

  it('with the name of a variable are the variable when they have no arguments', () => {
    expect(render('{{length}} {{default}}', { length: 7, default: 'd' })).toBe('7 d');
  });
});

describe('warnings', () => {
  it('report missing values with their position, once each', () => {
    expect(
      warningsOf('{{a}}\n{{#each l}} {{b}}{{/each}}{{#if c}}{{/if}}{{default d 1}}', { l: [1, 2] }),
    ).toEqual(['missing_variable a 1:3', 'missing_variable l[].b 2:15']);
  });

  it('suggest ../ when only the outer scope has the name', () => {
    const { warnings } = preview({ html: '{{#each l}}{{#if 1}}{{x}}{{/if}}{{/each}}' }, { l: [{}], x: 1 });
    expect(warnings.map(({ message }) => message)[0]).toContain('Did you mean {{../x}}?');
  });

  it('suggest the nearest key of the data', () => {
    const { warnings } = preview({ html: '{{first_name}}' }, { firstname: 'x' });
    expect(warnings[0]?.message).toContain('The data has firstname.');
  });

  it('distinguish scalars, lists and objects', () => {
    const html = '{{o}}{{l}}{{#each s}}{{/each}}{{s.x}}{{formatDate s "YYYY"}}{{#if (gt s 1)}}{{/if}}';
    expect(
      warningsOf(html, { o: {}, l: [1], s: 'x' }).map((text) => text.split(' ').slice(0, 2).join(' ')),
    ).toEqual([
      'non_scalar o',
      'non_scalar l',
      'type_mismatch s',
      'type_mismatch s.x',
      'type_mismatch s',
      'type_mismatch s',
    ]);
  });

  it('are given for invalid links and for unescaped html', () => {
    const html =
      '<a href="{{u}}">{{u}}</a><a href=\'{{ok}}\'><img src="{{rel}}"><a href="https://x/{{u}}">{{{h}}}{{{t}}}';
    const data = { u: ' java\tscript:alert(1)', ok: 'https://x', rel: '/a.png', h: '<b>', t: 'plain' };
    expect(warningsOf(html, data)).toEqual(['unsafe_url u 1:12', 'unescaped_value h 1:91']);
  });

  it('list data that no part uses', () => {
    const result = preview(
      { subject: '{{a}}', html: '{{#each b}}{{c}}{{/each}}{{@root.e}}' },
      { a: 1, b: [{ c: 1 }], c: 1, e: 1 },
    );
    expect(result.warnings).toEqual([
      {
        code: 'unused',
        part: null,
        path: 'c',
        line: null,
        column: null,
        source: null,
        message: 'c is not used by the template.',
      },
    ]);
    expect(warningsOf('{{#each @root}}{{@key}}{{/each}}', { a: 1 })).toEqual([]);
  });

  it('do not change the output', () => {
    const source = { subject: '{{a}}', html: '{{#each l as |x|}}{{x}}{{y}}{{/each}}', text: 'T {{upper a}}' };
    const data = { a: 'x', l: [1, null, 'b'] };
    const compiled = compileTemplate(source);
    if (!compiled.ok) throw new Error('does not compile');
    const { ok: _ok, warnings: _warnings, ...watched } = preview(source, data);
    expect(renderContent(compiled.template, data)).toEqual({ ok: true, ...watched });
  });
});
