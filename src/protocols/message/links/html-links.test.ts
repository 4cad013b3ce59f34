import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-time.ts';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { redirectingLinks } from './html-links.ts';

const redirectLinks = (...args: Parameters<typeof redirectingLinks>) => atOnce(redirectingLinks(...args));

const INSTEAD = 'https://t.example/t/c/TOKEN';
const MAX_MS = 5_000;

/** What the html becomes, and which addresses were asked about. */
function redirected(html: string) {
  const asked: string[] = [];
  const changed = redirectLinks(html, (url) => {
    asked.push(url);
    return INSTEAD;
  });
  return { asked, changed };
}

describe('a link', () => {
  it.each([
    ['<a href="https://a.example/">x</a>', 'https://a.example/'],
    ["<a href='https://a.example/?a=1#b'>x</a>", 'https://a.example/?a=1#b'],
    ['<a href=https://a.example/x/>x</a>', 'https://a.example/x/'],
    ['<A\nHREF\t=\n"HTTPS://A.example">x</A>', 'HTTPS://A.example'],
    ['<area shape="rect" href="http://a.example">', 'http://a.example'],
    ['<a title="a > b" href="https://a.example/">x</a>', 'https://a.example/'],
    ['<a/href="https://a.example/">x</a>', 'https://a.example/'],
    ['<a href="https://a.example/?a=1&amp;b=2&#38;c=3&#x26;d">x</a>', 'https://a.example/?a=1&b=2&c=3&d'],
    [
      '<a href="https://a.example/?a=1&copy=2&b=3&reg=4&amp=5">x</a>',
      'https://a.example/?a=1&copy=2&b=3&reg=4&amp=5',
    ],
    ['<a href="https://a.example/?q=&quot;x&apos;y&lt">x</a>', 'https://a.example/?q="x\'y<'],
    ['<a href=" https://a.example/ ">x</a>', 'https://a.example/'],
    ['<a href="https://a.example/%7Eada/%E2%82%AC?x=%2F">x</a>', 'https://a.example/%7Eada/%E2%82%AC?x=%2F'],
    ['<a href="https://a.example/1" href="https://b.example/2">x</a>', 'https://a.example/1'],
    ['<!--[if !mso]><!--><a href="https://a.example/">x</a><!--<![endif]-->', 'https://a.example/'],
    ['<style>a{}</style ><a href="https://a.example/">x</a>', 'https://a.example/'],
    ['1 < 2 <3 <a href="https://a.example/">x', 'https://a.example/'],
    ['<a b=c"d href="https://a.example/">x', 'https://a.example/'],
  ])('%j leads to %j, and is changed', (html, url) => {
    const { asked, changed } = redirected(html);
    expect(asked).toEqual([url]);
    expect(changed).toContain(INSTEAD);
  });

  it.each([
    '<a href="mailto:ada@example.org">x</a>',
    '<a href="tel:+1">x</a><a href="sms:1">x</a>',
    '<a href="javascript:alert(1)">x</a><a href="data:text/html,x">x</a><a href="cid:a">x</a>',
    '<a href="#top">x</a><a href="/path">x</a><a href="//a.example/">x</a><a href="page.html">x</a>',
    '<a href="https:a.example">x</a><a href="https://">x</a>',
    '<a href>x</a><a href="">x</a><a>x</a>',
    '<a href="https://müller.example/">x</a>',
    '<a href="https://a.example/a b">x</a>',
    '<a href="https://a.example/&euro;">x</a><a href="https://a.example/&unknown;">x</a><a href="https://a.example/&copy">x</a>',
    `<a href="https://a.example/${'x'.repeat(2_100)}">x</a>`,
    '<a href="https://a.example/" data-no-track>x</a>',
    '<a DATA-NO-TRACK="1" href="https://a.example/">x</a>',
    '<a rel="nofollow unsubscribe" href="https://a.example/">x</a>',
    '<link href="https://a.example/"><base href="https://a.example/"><img src="https://a.example/">',
    '<abbr href="https://a.example/">x</abbr>',
    '<!-- <a href="https://a.example/">x</a> -->',
    '<!--[if mso]><v:roundrect href="https://a.example/"><a href="https://a.example/">x</a><![endif]-->',
    '<style>/* <a href="https://a.example/"> */</style>',
    '<textarea><a href="https://a.example/"></textarea><title><a href="https://a.example/"></title>',
    '<img alt="<a href=\'https://a.example/\'>x</a>">',
    '<a href="https://a.example/',
    '<a href=\'https://a.example/">x</a>',
    '<!-- never closed <a href="https://a.example/">x</a>',
    '<style> never closed <a href="https://a.example/">x</a>',
    '<xa href="https://a.example/">x</xa></a href="https://a.example/">',
  ])('in %j is left as it is', (html) => {
    expect(redirected(html)).toEqual({ asked: [], changed: html });
  });

  it('stays where nobody has another address for it', () => {
    const html = '<a href="https://a.example/">x</a><a href="https://b.example/">y</a>';
    const only = redirectLinks(html, (url) => (url.includes('b.example') ? INSTEAD : null));
    expect(only).toBe(`<a href="https://a.example/">x</a><a href="${INSTEAD}">y</a>`);
  });

  it('between quotes or without changes nothing around it', () => {
    const html = `<p><a class="x" href='https://a.example/' id=y>1</a>&nbsp;<a href=https://b.example/ id=z>2</a></p>`;
    expect(redirected(html).changed).toBe(
      `<p><a class="x" href='${INSTEAD}' id=y>1</a>&nbsp;<a href=${INSTEAD} id=z>2</a></p>`,
    );
  });
});

const piece = fc.constantFrom(
  ...[
    '<a ',
    '<A\t',
    '<area/',
    '</a>',
    '<a',
    'href=',
    'HREF = ',
    '"',
    "'",
    '>',
    '<',
    '/',
    '=',
    ' ',
    '\n',
    '<!--',
    '-->',
  ],
  ...[
    '<style>',
    '</style>',
    '<title>',
    '</title',
    'data-no-track',
    'https://a.example/?b&amp;c',
    'http://x',
    '&',
    '\u0000',
    'İ',
  ],
  ...['<a href="https://a.example/1">', "<a href='https://a.example/2'>", '<a href=https://a.example/3>'],
);
const anyHtml = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 6 })), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(''));

describe('any html', () => {
  it('is the same but for the addresses that were asked about', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        let count = 0;
        const marked = redirectLinks(html, () => `\u{1F517}${count++}\u{1F517}`);
        const pieces = marked.split(/\u{1F517}\d+\u{1F517}/u);
        fc.pre(!html.includes('\u{1F517}'));
        expect(pieces).toHaveLength(count + 1);
        // Every piece is found again in its order, and what is between two of them is one address.
        let at = 0;
        for (const [index, text] of pieces.entries()) {
          const found = index === pieces.length - 1 ? html.length - text.length : html.indexOf(text, at);
          expect(found).toBeGreaterThanOrEqual(at);
          if (index > 0) expect(html.slice(at, found)).toMatch(/^\s*https?:\/\/[^\s>]*|&/i);
          at = found + text.length;
        }
        expect(at).toBe(html.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is left alone where no link has another address', () => {
    fc.assert(fc.property(anyHtml, (html) => redirectLinks(html, () => null) === html));
  });

  it('of two megabytes that are made to be slow takes no longer than its length', () => {
    const pieces = [
      ...[
        '<a href="',
        "<a href='",
        '<a ',
        '<!--',
        '<style>',
        '</style',
        '<style></',
        '<',
        '</',
        '<a href=x ',
        '&amp',
      ],
      ...['<a href="https://a.example/&amp;">', '<!', '<title></titl', ' = ', '<a b=', '-->', '<a\t\n'],
    ];
    for (const one of pieces) {
      const hostile = one.repeat(Math.ceil(2_000_000 / one.length));
      const ms = cpuMs(() => {
        redirectLinks(hostile, () => INSTEAD);
        redirectLinks(`<a href="${hostile}">`, () => INSTEAD);
      }, MAX_MS);
      expect(ms, one).toBeLessThan(MAX_MS);
    }
  });
});
