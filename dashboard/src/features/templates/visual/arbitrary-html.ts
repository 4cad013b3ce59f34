/** HTML as people and tools write it for mail, for property tests: tables, entities, Outlook, Handlebars everywhere. */
import fc from 'fast-check';

const WORDS = ['Thank', 'you', 'café', '日本', '😀', 'a > b', 'AT&T', 'x_1', '100%', "it's", '"quoted"'];
const ENTITIES = [
  '&amp;',
  '&nbsp;',
  '&copy;',
  '&eacute;',
  '&#8217;',
  '&#x2014;',
  '&zwnj;',
  '&lt;',
  '&unknown;',
  '&#123;',
];
const EXPRESSIONS = [
  '{{name}}',
  '{{user.first_name}}',
  '{{{html}}}',
  '{{ upper name }}',
  '{{~x~}}',
  '{{formatDate at "}} < >"}}',
];
const SPACE = [' ', '\n', '\n    ', '\r\n', '\t'];
const BREAKS = ['<br>', '<br/>', '<br />', '<BR>'];

const inlineText = fc
  .array(fc.constantFrom(...WORDS, ...ENTITIES, ...EXPRESSIONS, ...SPACE, ...SPACE, ...BREAKS), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const attribute = fc.constantFrom(
  ' class="a b"',
  " style='color:#06c'",
  ' style="color:{{color}};padding:4px"',
  ' width=20',
  ' {{#if wide}}width="600"{{/if}}',
  ' data-x="{{#if a}}1{{else}}2{{/if}}"',
  ' title="a &gt; b"',
  ' hidden',
  '\n  id="x"',
);
const attributes = fc.array(attribute, { maxLength: 2 }).map((list) => list.join(''));

const LOCKED = [
  '<!-- a comment with <b>tags</b> -->',
  '<!--[if mso]><table><tr><td><![endif]-->',
  '<!--[if mso]></td></tr></table><![endif]-->',
  '<![if !mso]>',
  '<![endif]>',
  '{{! a note }}',
  '{{!-- {{not}} <b> --}}',
  '{{> footer}}',
  '<style>p > b { color: red }</style>',
  '<script>if (a < b) alert("{{name}}")</script>',
  '<svg><text>no</text></svg>',
  '</td>',
  '<o:p></o:p>',
];

const { block: html } = fc.letrec<{ inline: string; block: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 3 },
    inlineText,
    inlineText,
    element(fc.constantFrom('b', 'strong', 'em', 'span', 'font'), tie('inline')),
    element(fc.constant('a href="https://a.test/?x=1&amp;y={{id}}"'), tie('inline')),
    fc.constantFrom('<img src="a.png">', "<img alt='A' src={{logo}}>", '<img src="{{logo "x"}}" alt="">'),
    tie('inline').map((inner) => `{{#if a}}${inner}{{else}}other{{/if}}`),
  ),
  block: fc
    .array(
      fc.oneof(
        { maxDepth: 4 },
        tie('inline'),
        element(fc.constantFrom('p', 'h1', 'div', 'li', 'td', 'pre', 'blockquote', 'P'), tie('inline')),
        element(fc.constantFrom('div', 'center', 'section', 'body'), tie('block')),
        tie('block').map((inner) => `<table>\n<tr><td>${inner}</td></tr></table>`),
        tie('block').map((inner) => `{{#each items}}\n${inner}\n{{/each}}`),
        tie('block').map((inner) => `{{#if paid}}<div class="x">{{else}}<div>{{/if}}${inner}</div>`),
        tie('inline').map((inner) => `<p>${inner}<li>${inner}`),
        fc.constantFrom(...LOCKED),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('\n')),
}));

function element(name: fc.Arbitrary<string>, inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(name, attributes, inner).map(([tag, own, text]) => {
    const close = tag.split(' ')[0];
    return `<${tag}${own}>${text}</${close}>`;
  });
}

export const arbitraryHtml = html;

/** Anything, most of it broken. */
export const arbitrarySoup = fc.string({
  unit: fc.constantFrom(
    ...'<>/{}!-"\'=&;# \n\\ab',
    '{{',
    '}}',
    '<p>',
    '</p>',
    '{{#if a}}',
    '{{/if}}',
    '<td',
    '&amp;',
    'é',
  ),
  maxLength: 60,
});

/** What people type: plain text, variables, characters that mean something in HTML. */
export const arbitraryTyping = fc
  .array(
    fc.constantFrom(
      'Hello',
      'wörld',
      ' ',
      '  ',
      '\n',
      '{{name}}',
      '{{upper x}}',
      '&',
      '<b>',
      '>',
      '"',
      "'",
      '😀',
      '&amp;',
      '\u00a0',
      'a',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');
