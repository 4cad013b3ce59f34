import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALONE, type Piece } from '../pieces.ts';
import { renderContent } from '../render.ts';
import { compileInTurns } from '../template.ts';
import { INLINING_LIMITS } from './limits.ts';

async function rendered(html: string, data: Record<string, unknown> = {}, layout: Piece | null = null) {
  const compiled = await compileInTurns({ html }, { ...ALONE, layout, inlineCss: true });
  if (!compiled.ok) return compiled.errors.map(({ code }) => code).join();
  const result = renderContent(compiled.template, data);
  return result.ok ? (result.html ?? '') : result.problem.message;
}

const withoutSheet = (html: string) => html.replaceAll(/<style[\s\S]*?<\/style>/g, '');
const styled = async (css: string, html: string, data: Record<string, unknown> = {}) =>
  withoutSheet(await rendered(`<style>${css}</style>${html}`, data));

describe("a style sheet's rule", () => {
  it.each([
    ['of an element', 'p{color:red}', '<p>x</p>', '<p style="color:red">x</p>'],
    ['of a class', '.a{color:red}', '<p class="b a">x', '<p style="color:red" class="b a">x'],
    ['of an id', '#a{color:red}', "<p id='a'>x", `<p style="color:red" id='a'>x`],
    [
      'of what is inside',
      'td p{margin:0}',
      '<td><b><p>x</p></b></td>',
      '<td><b><p style="margin:0">x</p></b></td>',
    ],
    ['of a child', 'td>p{margin:0}', '<td><p>x</p></td><p>y', '<td><p style="margin:0">x</p></td><p>y'],
    [
      'of an attribute',
      'a[href^="https"]{color:red}',
      '<a href="https://x">',
      '<a style="color:red" href="https://x">',
    ],
    [
      'of several',
      'h1, h2 {color:red}',
      '<h1>x</h1><h2>',
      '<h1 style="color:red">x</h1><h2 style="color:red">',
    ],
    ['of everything', '*{color:red}', '<br/>', '<br style="color:red"/>'],
    ['in capitals', 'P{COLOR:Red}', '<P>x', '<P style="color:Red">x'],
  ])('%s is written into it', async (_, css, html, expected) => {
    expect(await styled(css, html)).toBe(expected);
  });

  it('for all elements is not written into elements that are never displayed', async () => {
    const head = '<head><title>x</title><meta charset="utf-8"><base href="/"><link rel="a"></head>';
    const rest = '<template><i>x</i></template><noscript>x</noscript><script>x</script>';
    const html = `${head}<style>*{color:red}</style>${rest}`;
    expect(await rendered(html)).toBe(html.replace('<i>', '<i style="color:red">'));
  });

  it.each([
    ['beats what is less exact', 'p{color:red} .a{color:blue} p{color:green}', 'color:blue'],
    ['beats what came before', 'p{color:red} p{color:green}', 'color:green'],
    ['is important if it says so', 'p{color:red !important} .a{color:blue}', 'color:red !important'],
    [
      'keeps the order that matters',
      'p{margin-top:1px} p{margin:0} p{margin-top:2px}',
      'margin:0;margin-top:2px',
    ],
  ])('%s', async (_, css, style) => {
    expect(await styled(css, '<p class="a">x')).toBe(`<p style="${style}" class="a">x`);
  });

  it("comes before the element's own style, in the existing quotes", async () => {
    expect(await styled('p{font-family:"A B",serif}', '<p style="color:red">x')).toBe(
      `<p style="font-family:'A B',serif;color:red">x`,
    );
    expect(await styled('p{font-family:"A B"}', "<p style='color:red'>x")).toBe(
      `<p style='font-family:"A B";color:red'>x`,
    );
    expect(await styled('p{color:red}', '<p style=margin:0>x')).toBe('<p style=margin:0>x');
  });

  it.each([
    ['a media query', '@media (max-width:1px){p{color:red}}'],
    ['what somebody does', 'p:hover{color:red}'],
    ['what is not there', 'p::before{color:red}'],
    ['variables of CSS', 'p{--a:red}'],
    ['nonsense', 'p{{{}} color'],
  ])('stays where it is when it is about %s', async (_, css) => {
    expect(await rendered(`<style>${css.replace('{{', '\\{{')}</style><p>x`)).toContain('<p>x');
  });

  it('that depends on the reader only stays in its sheet', async () => {
    expect(await rendered('<style media="print">p{color:red}</style><p>x')).toContain('<p>x');
  });
});

describe('a template', () => {
  it('keeps its tags, and its values are never treated as CSS', async () => {
    const html =
      '<style>.a{color:{{brand}};margin:0} .b{padding:0}</style>{{#if on}}<p class="a">{{n}}</p>{{else}}<p class="{{c}} b">{{/if}}{{#each l}}<td class="b" style="width:{{this}}px">{{/each}}';
    const on = withoutSheet(await rendered(html, { brand: 'red', on: true, n: '<i>', l: [1, 2] }));
    expect(on).toBe(
      '<p style="margin:0" class="a">&lt;i&gt;</p><td class="b" style="padding:0;width:1px"><td class="b" style="padding:0;width:2px">',
    );
    const off = withoutSheet(await rendered(html, { c: 'a', l: [] }));
    expect(off).toBe('<p style="padding:0" class="a b">');
  });

  it('is styled by its layout', async () => {
    const source = { html: '<style>p{margin:0}</style><div>{{{content}}}</div>', text: '' };
    const layout = { title: 'the layout "a"', source, partials: new Map() };
    expect(withoutSheet(await rendered('<p>{{n}}</p>', { n: 1 }, layout))).toBe(
      '<div><p style="margin:0">1</p></div>',
    );
  });

  it('stays unchanged to the last byte when there is nothing to inline', async () => {
    const html =
      '<STYLE>h9{x:y}</STYLE><!--[if mso]><p><![endif]--><p  class = a >&nbsp;&amp <br></P>\r\n<td';
    expect(await rendered(html)).toBe(html);
  });

  it('only changes by styles', async () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<td class="a">',
      '<',
      '>',
      '"',
      "'",
      ' style="',
      '&lt;',
      'x',
      '<!--',
      '-->',
      '<style>p{a:b}</style>',
      '=',
      '/',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const html = `<style>p{a:b} .a{c:d}</style>${pieces.join('')}`;
        const inlined = await rendered(html);
        expect(inlined.replaceAll(/ style="(?:a:b|c:d)"|(?:a:b|c:d);/g, '')).toBe(
          html.replaceAll(/ style="(?:a:b|c:d)"|(?:a:b|c:d);/g, ''),
        );
      }),
    );
  });
});

describe('exceeding the limits is refused quickly', () => {
  it('in a template and its layout together', async () => {
    const sheet = `<style>${'@x{}'.repeat(INLINING_LIMITS.css / 8)}</style>`;
    const layout = {
      title: 'the layout',
      source: { html: `${sheet}{{{content}}}`, text: '' },
      partials: new Map(),
    };
    expect(await rendered('<p>x</p>', {}, layout)).toContain('<p>x</p>');
    expect(await rendered(`${sheet}<style>p{x:y}</style><p>x</p>`, {}, layout)).toBe('too_complex');
  });

  const many = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join('');

  it.each([
    ['selectors', `<style>${many(INLINING_LIMITS.selectors + 1, (n) => `.a${n}{x:y}`)}</style>`],
    ['elements', '<p>'.repeat(INLINING_LIMITS.elements + 1)],
    ['depth', '<div>'.repeat(INLINING_LIMITS.depth + 1)],
    ['comparisons', `<style>z ${'b '.repeat(9)}{x:y}</style>${'<b>'.repeat(60)}`],
    ['text', `<style>p{x:${'y'.repeat(1000)}}</style>${'<p></p>'.repeat(400)}`],
    ['tokens in one declaration', `<style>p{x:${'y '.repeat(20_000)}important}</style><p>`],
    ['selectors of one rule', `<style>${'p,'.repeat(INLINING_LIMITS.selectorChars / 2)}p{x:y}</style><p>`],
    [
      'words of a class',
      `<style>.a{x:y}</style><p class="${'b '.repeat(INLINING_LIMITS.attributeWords / 2)}c">`,
    ],
    ['declarations', `<style>p{${'x:y;'.repeat(2_000)}}</style>${'<p></p>'.repeat(101)}`],
  ])('of %s', async (_, html) => {
    const before = process.cpuUsage();
    expect(await rendered(html)).toBe('too_complex');
    // Taking seconds would block all mail. Processor time, because a busy machine takes longer.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});
