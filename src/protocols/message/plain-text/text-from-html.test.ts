import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { convertingHtml } from './text-from-html.ts';

const textFromHtml = (...args: Parameters<typeof convertingHtml>) => atOnce(convertingHtml(...args));

describe('the text of html', () => {
  it.each([
    ['words', 'Hello\n   <b>big</b>\t<i>world</i>!', 'Hello big world!'],
    ['paragraphs', '<p>One</p><p>Two<br>lines</p>', 'One\n\nTwo\nlines'],
    ['headings', '<h1>Title</h1>Text', 'Title\n\nText'],
    [
      'references',
      'a &lt;b&gt; &amp;amp; &eacute;&#8364;&#x1f600;&#150; &nosuch; AT&T',
      'a <b> &amp; é€😀– &nosuch; AT&T',
    ],
    [
      'a link',
      'See <a href="https://a.example/x?a=1&amp;b=2">the offer</a>.',
      'See the offer (https://a.example/x?a=1&b=2).',
    ],
    ['a link that shows itself', '<a href="https://a.example/">a.example</a>', 'a.example'],
    [
      'a link of an image',
      '<a href=https://a.example/x><img alt="Logo" src=x></a>',
      'Logo (https://a.example/x)',
    ],
    ['a link without words', '<a href="https://a.example/x"><img src=x></a>', 'https://a.example/x'],
    ['links to nowhere', '<a href="#top">up</a> <a href="javascript:alert(1)">go</a>', 'up go'],
    ['a mail link', '<a href="mailto:help@a.example">Write to us</a>', 'Write to us'],
    ['a list', '<ul><li>One<li>Two</li></ul>End', '- One\n- Two\n\nEnd'],
    ['numbers', '<ol start=9><li>Nine</li><li>Ten</li></ol>', '9. Nine\n10. Ten'],
    [
      'lists in lists',
      '<ul><li>A<ol><li>B</li><li>C<br>D</li></ol></li><li>E</li></ul>',
      '- A\n  1. B\n  2. C\n     D\n- E',
    ],
    ['a table', '<table><tr><th>Item<th>Price<tr><td>Tea<td>3.00</table>', 'Item  Price\nTea  3.00'],
    ['a layout table', '<table><tr><td><p>Hi</p></td><td><div>You</div></td></tr></table>', 'Hi\n\nYou'],
    ['a quote', '<blockquote>He said<br>this</blockquote>So', '> He said\n> this\n\nSo'],
    ['preformatted lines', '<pre>a  b\n  c</pre>', 'a  b\n  c'],
    ['elements in preformatted lines', '<pre>a <b>b</b>\n  <i>c</i> \n</pre>d', 'a b\n  c\n\nd'],
    ['a rule', 'a<hr>b', 'a\n\n--------------------\n\nb'],
    ['no scripts', 'a<script>"</p>"</script><style>p{}</style><title>t</title>b', 'ab'],
    ['no comments', 'a<!-- <p>x</p> --><!--[if mso]><p>y</p><![endif]-->b', 'ab'],
    ['no preheader', '<div style="display:none;max-height:0">Psst <div>x</div></div><p>Hi', 'Hi'],
    ['no preheader of size 0', '<span style="font-size:0px">x</span>Hi', 'Hi'],
    [
      'text that has a size of its own inside of one without',
      '<td style="font-size:0px;padding:0"><div class="a" style="font-size:0px"><p style="font-family:Arial;font-size:13px">Hi <b>Ada</b></p></div>x</td><p>End',
      'Hi Ada\n\nEnd',
    ],
    [
      'text with a size that fonts say',
      '<p style="font-size:0"><i style="font:bold 12px/1.5 Arial">Hi</i></p>',
      'Hi',
    ],
    ['no text of size 0 that fonts say', '<p style="font:0/0 a">x</p>Hi', 'Hi'],
    ['text of the last size that counts', '<p style="font-size:0;font-size:12px">Hi</p>', 'Hi'],
    [
      'no text whose size is a part of none',
      '<div style="font-size:0"><p style="font-size:2em">x<b style="font-size:150%">y</b></p></div>Hi',
      'Hi',
    ],
    [
      'images and their links where text has no size',
      '<td style="font-size:0"><a href="https://a.example/x"><img alt="Logo" src=x></a></td>',
      'Logo (https://a.example/x)',
    ],
    ['no link without a size', '<p style="font-size:0"><a href="https://a.example/x">x</a></p>Hi', 'Hi'],
    ['nothing hidden', '<p hidden>x</p><p class="hidden">Hi</p>', 'Hi'],
    ['no fillers', 'Hi&#847;&zwsp;&shy;&nbsp;&nbsp; you', 'Hi you'],
    ['a bracket that is none', '1 < 2 and <3', '1 < 2 and <3'],
    ['a > in an attribute', '<a title="a>b" href="https://a.example">x</a>', 'x (https://a.example)'],
    ['nothing', '<p> </p><img src=x>', ''],
  ])('has %s', (_, html, expected) => {
    expect(textFromHtml(html)).toBe(expected);
  });

  it('does not end with something hidden that is never closed', () => {
    expect(textFromHtml('<div style="display:none">Psst<p>Hello')).toBe('Psst\n\nHello');
    expect(textFromHtml('<p style="font-size:0">Psst<p>Hello')).toBe('Psst\n\nHello');
    expect(textFromHtml('a<svg>b')).toBe('ab');
  });

  it('has no blank at the end of a line, no two empty lines and no carriage return, whatever the html', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<li>',
        '<ul>',
        '</ul>',
        '<td>',
        '<tr>',
        '<br>',
        '<a href="https://x.y">',
        '</a>',
        '<pre>',
      ],
      ...[
        '</pre>',
        ' ',
        '\r\n',
        'a',
        '&nbsp;',
        '<!--',
        '-->',
        '<div hidden>',
        '</div>',
        '"',
        '<',
        '>',
        '<b',
        '<svg>',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = textFromHtml(pieces.join(''));
        expect(text).not.toMatch(/[ \t]$|[ \t]\n|\n\n\n|\r/);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['brackets', '<'],
    ['open tags', '<a '],
    ['quotes', '<a b="'],
    ['comments', '<!--'],
    ['elements that are never closed', '<svg><script><style>'],
    ['lists', '<ul><li>'],
    ['ends of quotes in lists', '<ul></blockquote>'],
    ['cells', '<td>x'],
    ['words of one line', 'a<b>'],
    ['links', '<a href="https://x.y">z'],
    ['hidden elements', '<p hidden>'],
    ['sizes', '<p style="font-size:0"><b style="font-size:1px">x'],
    ['sizes in sizes', '<p style="font-size:0;font-size:0"></i>'],
    ['references', '&amp&#x'],
    ['attributes', '<p style style="'],
    ['spaces in attributes', '<p style      '],
  ])('takes time by its length at most: 500 KB of %s', (_, piece) => {
    const timeOf = (chars: number) => {
      const html = piece.repeat(Math.ceil(chars / piece.length));
      const startUs = process.cpuUsage().user;
      textFromHtml(html);
      return process.cpuUsage().user - startUs;
    };
    const small = Math.min(timeOf(60_000), timeOf(60_000));
    // Eight times the length: by its square it would take 64 times as long.
    expect(timeOf(480_000)).toBeLessThan(32 * small + 300_000);
  });

  it('is the same where the html is read in pieces', () => {
    const words = fc.array(fc.constantFrom('a', 'b ', '  ', '&amp;', '&#8364;', '\n', 'é', '&'), {
      minLength: 20,
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.integer({ min: 16_340, max: 16_364 }), words, (before, end) => {
        const filler = 'x'.repeat(before);
        for (const [open, close] of [
          ['', ''],
          ['<pre>', '</pre>'],
        ] as const) {
          const alone = textFromHtml(`${open}.${end.join('')}.${close}`);
          expect(textFromHtml(`${open}${filler}.${end.join('')}.${close}`)).toBe(filler + alone);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is none where the html is longer than any letter', () => {
    expect(textFromHtml('<p>Hi'.repeat(20_000))).toContain('Hi');
    expect(textFromHtml('<p>Hi'.repeat(30_000))).toBe('');
    expect(textFromHtml('x'.repeat(600_000))).toBe('');
  });
});
