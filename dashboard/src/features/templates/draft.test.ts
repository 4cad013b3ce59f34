import { describe, expect, it } from 'vitest';
import { contentOf, type TemplateDraft, textsIn, withLanguage, withTexts } from './draft.ts';

const DRAFT: TemplateDraft = {
  ...{
    name: 'T',
    alias: '',
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
    layout: null,
    inline_css: false,
  },
  ...{ translations: [], variable_schema: [] },
};

describe('a draft in several languages', () => {
  it('begins a language with what there is to translate, by its usual name', () => {
    const made = withLanguage(DRAFT, 'pt-br');
    expect(made?.locale).toBe('pt-BR');
    expect(made && textsIn(made.draft, 'pt-BR').subject).toBe('Hello');
  });

  it.each(['', 'english', 'de_DE'])('takes no %j for a language', (text) => {
    expect(withLanguage(DRAFT, text)).toBeNull();
  });

  it('has each language once', () => {
    const made = withLanguage(DRAFT, 'de');
    expect(made && withLanguage(made.draft, 'DE')).toBeNull();
  });

  it('changes the language that is edited alone', () => {
    const made = withLanguage(DRAFT, 'de');
    const changed = withTexts(made?.draft ?? DRAFT, 'de', { subject: 'Hallo' });
    expect([changed.subject, textsIn(changed, 'de').subject]).toEqual(['Hello', 'Hallo']);
  });

  it('gives a layout no subject in any language', () => {
    const made = withLanguage(DRAFT, 'de');
    const content = contentOf('layout', made?.draft ?? DRAFT);
    expect(JSON.stringify(content)).not.toContain('subject');
  });
});
