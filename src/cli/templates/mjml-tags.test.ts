import { describe, expect, it } from 'vitest';
import { isAboutTag, MjmlTags } from './mjml-tags.ts';

describe('tags of templates in MJML', () => {
  it('are unchanged where MJML keeps them', () => {
    const text = '<mj-text>{{name}} {{{html}}} {{> foot}} {{#if (eq plan "pro")}}x{{/if}}</mj-text>';
    const tags = new MjmlTags();
    const marked = tags.mark(text);
    expect(marked).not.toContain('{{');
    expect(tags.restore(marked)).toBe(text);
    expect(tags.lostIn(marked)).toEqual([]);
  });

  it('are reported where MJML drops them, each with its line', () => {
    const tags = new MjmlTags();
    const marked = tags.mark('<mj-body>\n{{#if a}}\n<mj-raw>{{#if a}}{{/if}}</mj-raw>\n{{/if}}</mj-body>');
    const html = marked.replace(/postrider-tag-[03]z/g, '');
    expect(tags.lostIn(html)).toMatchObject([
      { tag: '{{#if a}}', line: 2, isIncluded: false },
      { tag: '{{/if}}', line: 4, isIncluded: false },
    ]);
  });

  it('are reported of included files as well', () => {
    const tags = new MjmlTags();
    const own = tags.mark('{{a}}');
    expect(tags.mark(own)).toBe(own);
    const included = tags.mark('\n{{a}}', true);
    expect(tags.lostIn(own)).toMatchObject([{ tag: '{{a}}', line: 2, isIncluded: true }]);
    expect(tags.restore(own + included)).toBe('{{a}}\n{{a}}');
  });

  it('may be dropped in comments and in attribute definitions', () => {
    const tags = new MjmlTags();
    const marked = tags.mark(
      '<!-- {{a}} --><mj-attributes><mj-text color="{{b}}" /></mj-attributes>{{! c }}{{!-- {{d}} --}}',
    );
    expect(tags.lostIn('')).toEqual([]);
    expect(tags.restore(marked)).toBe(
      '<!-- {{a}} --><mj-attributes><mj-text color="{{b}}" /></mj-attributes>',
    );
  });

  it('may stand for a value that MJML would check', () => {
    const tags = new MjmlTags();
    expect(isAboutTag(`Attribute color has invalid value: ${tags.mark('{{color}}')} for type Color`)).toBe(
      true,
    );
    expect(isAboutTag('Attribute color has invalid value: redd for type Color')).toBe(false);
  });
});
