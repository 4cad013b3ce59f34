/** The edited fields of a template: names, content and translations. */
import type { TemplateDetail } from '@postrider/sdk';
import type { Rule } from './rules.ts';

export interface Texts {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export interface TemplateDraft extends Texts {
  readonly name: string;
  readonly alias: string;
  /** The id of a layout. */
  readonly layout: string | null;
  readonly inline_css: boolean;
  readonly translations: readonly (Texts & { readonly locale: string })[];
  readonly variable_schema: Rule[];
}

/** The draft of a template, or its current version. */
export function draftOf(template: TemplateDetail): TemplateDraft {
  const { subject, html_body, text_body, layout, inline_css, translations, variable_schema } =
    template.draft ?? template;
  return {
    name: template.name,
    alias: template.alias ?? '',
    subject,
    html: html_body,
    text: text_body,
    layout,
    inline_css,
    translations,
    variable_schema: variable_schema as unknown as Rule[],
  };
}

/** The content of a version. Layouts and partials have no subject and no layout. */
export function contentOf(kind: TemplateDetail['kind'], draft: Omit<TemplateDraft, 'name' | 'alias'>) {
  const { subject, layout, inline_css, html, text, translations, variable_schema } = draft;
  const others = translations.map(({ subject: own, ...texts }) => ({
    ...texts,
    ...(kind === 'template' ? { subject: own } : {}),
  }));
  const outside = kind === 'template' ? { subject, layout, inline_css } : {};
  return { ...outside, html, text, translations: others, variable_schema };
}

/** The texts of one language; null is the default one. */
export function textsIn(draft: TemplateDraft, locale: string | null): Texts {
  return draft.translations.find((one) => one.locale === locale) ?? draft;
}

export function withTexts(draft: TemplateDraft, locale: string | null, texts: Partial<Texts>): TemplateDraft {
  if (locale === null) return { ...draft, ...texts };
  const translations = draft.translations.map((one) => (one.locale === locale ? { ...one, ...texts } : one));
  return { ...draft, translations };
}

/** A translation begins as a copy of the template. Null if `text` is no language code, or the language exists. */
export function withLanguage(
  draft: TemplateDraft,
  text: string,
): { draft: TemplateDraft; locale: string } | null {
  const locale = localeOf(text);
  if (locale === null || draft.translations.some((one) => one.locale === locale)) return null;
  const { subject, html, text: plain } = draft;
  const translations = [...draft.translations, { locale, subject, html, text: plain }];
  return { draft: { ...draft, translations }, locale };
}

export function isSameContent(a: TemplateDraft, b: TemplateDraft): boolean {
  return JSON.stringify(contentOf('template', a)) === JSON.stringify(contentOf('template', b));
}

/** Fields that were changed here keep their values. The others get the values of `theirs`. */
export function mergedDraft({
  before,
  mine,
  theirs,
}: {
  readonly before: TemplateDraft;
  readonly mine: TemplateDraft;
  readonly theirs: TemplateDraft;
}): TemplateDraft {
  const fields = Object.keys(mine) as (keyof TemplateDraft)[];
  const changed = fields.filter((field) => JSON.stringify(mine[field]) !== JSON.stringify(before[field]));
  return { ...theirs, ...Object.fromEntries(changed.map((field) => [field, mine[field]])) };
}

/** The draft in the form of a saved version, for comparing. */
export function comparable({ html, text, translations, variable_schema, ...rest }: TemplateDraft) {
  return {
    ...rest,
    html_body: html,
    text_body: text,
    translations: [...translations],
    variable_schema: variable_schema as unknown as Record<string, unknown>[],
  };
}

function localeOf(text: string): string | null {
  try {
    const [locale = null] = Intl.getCanonicalLocales(text.trim());
    return locale !== null && /^[a-z]{2,3}(-|$)/.test(locale) ? locale : null;
  } catch {
    return null;
  }
}
