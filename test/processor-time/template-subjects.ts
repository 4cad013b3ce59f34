/** What templates and their data reach, in the API and in every worker. */
import { ALONE } from '../../src/template-language/pieces.ts';
import { dataProblem, renderContent } from '../../src/template-language/render.ts';
import { compileInTurns, compileTemplate } from '../../src/template-language/template.ts';
import { isSameContent } from '../../src/templates/content.ts';
import { previewTemplate } from '../../src/templates/preview.ts';
import type { TemplateContent } from '../../src/templates/store.ts';
import type { Subject } from './subject.ts';

const PART = 256 * 1024;
const DATA = 256 * 1024;
const TRANSLATIONS = 1024 * 1024;

const inlining = { ...ALONE, inlineCss: true };
const RULES = Array.from({ length: 450 }, (_, n) => `.a${n},[class~=b${n}]{color:red}`).join('');

/** Prints what it is given in every way there is. */
const PRINTING = compiled(
  '{{s}}{{{s}}}{{upper s}}{{capitalize s}}{{#if (gt s t)}}a{{/if}}{{#with s}}{{this}}{{/with}}{{formatDate s s}}{{#each l}}{{this}}{{/each}}',
);

function compiled(html: string) {
  const result = compileTemplate({ subject: '{{s}}', html });
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join());
  return result.template;
}

/** As large as data may be, once it is text. */
function dataOf(input: Buffer) {
  const s = input.toString('latin1').slice(0, DATA / 4);
  return { s, t: `${s.slice(1)}x`, l: s.slice(0, 10_000).split('') };
}

function render(input: Buffer): unknown {
  const data = dataOf(input);
  return dataProblem(data) ?? renderContent(PRINTING, data);
}

/** Half of it around the other half. */
function inLayout(input: Buffer): Promise<unknown> {
  const text = input.toString('latin1');
  const html = `${text.slice(0, PART - 100)}{{{content}}}`;
  const layout = { title: 'the layout', source: { html, text: '' }, partials: new Map() };
  return compileInTurns({ html: text.slice(PART - 100, 2 * (PART - 100)) }, { ...inlining, layout });
}

function translated(text: string): TemplateContent {
  const translations = [{ locale: 'de', subject: 'x', html: text, text: '' }];
  const rest = { variableSchema: null, layoutId: null, partials: null, inlineCss: true };
  return { subject: 'x', html: text.slice(0, PART), text: '', translations, ...rest };
}

function repeated(unit: string, head: string, tail: string): (bytes: number) => Buffer {
  return (bytes) =>
    Buffer.from(head + unit.repeat(Math.floor((bytes - head.length - tail.length) / unit.length)) + tail);
}

export const templateSubjects: readonly Subject[] = [
  {
    name: 'Parsing and compiling a template',
    limitBytes: PART,
    whole: ['template variables', 'bracketed names'],
    run: (input) => compileInTurns({ html: input.toString('latin1'), text: input.toString('latin1') }),
    shapes: {
      'blocks in blocks': repeated('{{#each a}}{{b.c}}{{/each}} ', '', ''),
      'bracketed names': repeated('{{[a b]}} ', '', ''),
      'else if': repeated('{{else if (eq a.b "c")}}', '{{#if a}}', '{{/if}}'),
      'comments of the long kind': repeated('{{!-- a --}}', '', ''),
      'lines between tags': repeated('\n', '{{a}}', '{{b}}'),
    },
  },
  { name: 'Rendering a template', limitBytes: DATA, whole: ['entities'], run: render },
  {
    name: 'Preview of a template',
    limitBytes: DATA,
    whole: ['angle brackets'],
    run: (input) => previewTemplate(PRINTING, [], dataOf(input)),
  },
  {
    name: 'Inlining CSS into html',
    limitBytes: PART - 64 * 1024,
    whole: ['a class of many words'],
    run: (input) => compileInTurns({ html: `<style>${RULES}</style>${input.toString('latin1')}` }, inlining),
    shapes: {
      'a class of many words': repeated('b ', '<p class="', '">'),
      'elements with a class': repeated('<p class="a1 b2">x</p>', '', ''),
      'attributes of one element': repeated('a=b ', '<p ', '>'),
      'elements in each other': repeated('<b>', '', ''),
      'closing tags': repeated('</p>', '<b>', ''),
      'styles of elements': repeated('<p style="a:b">', '', ''),
    },
  },
  {
    name: 'Inlining hostile CSS',
    limitBytes: PART - 64 * 1024,
    whole: ['one declaration of many words', 'a list of selectors'],
    run: (input) =>
      compileInTurns(
        {
          html: `<style>${input.toString('latin1')}</style>${'<div class="a"><p id="b" class="a c">x</p></div>'.repeat(500)}`,
        },
        inlining,
      ),
    shapes: {
      'declarations of one rule': repeated('a:b;', 'p{', '}'),
      'one declaration of many words': repeated('a ', 'p{b:', 'important}'),
      'a list of selectors': repeated('p,', '', 'p{a:b}'),
      'selectors in selectors': repeated(':not(', '', '{a:b}'),
      'a selector of many classes': repeated('.a', '', '{a:b}'),
      'rules for the same elements': repeated('p{a:b}', '', ''),
      'rules of descendants': repeated('div div div p{a:b}', '', ''),
      'searches in attributes': repeated('[class*="aaaaaaab"]{a:b}', '', ''),
      'blocks without an end': repeated('a{', '', ''),
      'media queries without an end': repeated('@media a{', '', ''),
      'comments in values': repeated('/**/a', 'p{b:', '}'),
      'comments behind a rule': repeated('@a/**/ ', '', ''),
    },
  },
  {
    name: 'Inlining CSS of a template in its layout',
    limitBytes: 2 * PART,
    whole: ['CSS selectors'],
    run: inLayout,
  },
  {
    name: 'Comparing a template with its last version',
    limitBytes: TRANSLATIONS,
    whole: ['nothing but NUL'],
    run: (input) => {
      return isSameContent(translated(input.toString('latin1')), translated(input.toString('latin1')));
    },
  },
];
