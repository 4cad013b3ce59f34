import { describe, expect, it } from 'vitest';
import { lostTags, markTags, restoreTags } from './compile-source.ts';

describe('tags of templates in MJML', () => {
  it('are unchanged where MJML keeps them', () => {
    const text = '<mj-text>{{name}} {{{html}}} {{> foot}} {{#if (eq plan "pro")}}x{{/if}}</mj-text>';
    const source = markTags(text);
    expect(source.text).not.toContain('{{');
    expect(restoreTags(source, source.text)).toBe(text);
    expect(lostTags(source, source.text)).toEqual([]);
  });

  it('are reported where MJML drops them, each with its line', () => {
    const source = markTags('<mj-body>\n{{#if a}}\n<mj-raw>{{#if a}}{{/if}}</mj-raw>\n{{/if}}</mj-body>');
    const html = source.text.replace(/postrider-tag-[03]z/g, '');
    expect(lostTags(source, html)).toMatchObject([
      { tag: '{{#if a}}', line: 2 },
      { tag: '{{/if}}', line: 4 },
    ]);
  });

  it('may be dropped in comments and in attribute definitions', () => {
    const source = markTags(
      '<!-- {{a}} --><mj-attributes><mj-text color="{{b}}" /></mj-attributes>{{! c }}{{!-- {{d}} --}}',
    );
    expect(lostTags(source, '')).toEqual([]);
    expect(source.tags.map(({ tag }) => tag)).toEqual(['{{a}}', '{{b}}']);
  });
});
