/** The content of a template as given, stored and compared. A change of the content creates a version. */
import { canonicalLocale } from '../runtime/locale.ts';
import type { VariableSchema } from '../template-language/variable-schema.ts';
import type { UpdateTemplateBody, ValidateTemplateBody } from './schema.ts';
import type { TemplateContent, TemplateContentRow } from './store.ts';
import type { Translation } from './translations.ts';

/** The content in a request. `layout` is an id or an alias. */
export interface ContentInput {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variableSchema: VariableSchema | null;
  readonly layout: string | null;
  readonly translations: readonly Translation[] | null;
  readonly inlineCss: boolean;
}

export function contentOf(body: Omit<ValidateTemplateBody, 'data' | 'kind' | 'locale'>): ContentInput {
  return {
    subject: body.subject ?? '',
    html: body.html ?? '',
    text: body.text ?? '',
    variableSchema: (body.variable_schema as VariableSchema | undefined) ?? null,
    layout: body.layout ?? null,
    translations: translationsOf(body.translations),
    inlineCss: body.inline_css ?? false,
  };
}

export function contentFromInput(body: UpdateTemplateBody): Partial<ContentInput> {
  return {
    ...(body.subject === undefined ? {} : { subject: body.subject }),
    ...(body.html === undefined ? {} : { html: body.html }),
    ...(body.text === undefined ? {} : { text: body.text }),
    ...(body.variable_schema === undefined ? {} : { variableSchema: body.variable_schema as VariableSchema }),
    ...(body.layout === undefined ? {} : { layout: body.layout }),
    ...(body.translations === undefined ? {} : { translations: translationsOf(body.translations) }),
    ...(body.inline_css === undefined ? {} : { inlineCss: body.inline_css }),
  };
}

function translationsOf(given: ValidateTemplateBody['translations']): readonly Translation[] | null {
  if (given === undefined || given.length === 0) return null;
  return given.map(({ locale, subject = '', html = '', text = '' }) => ({
    locale: canonicalLocale(locale) ?? locale,
    subject,
    html,
    text,
  }));
}

/** Stored content in the form of a request. */
export function storedContent(row: TemplateContentRow): ContentInput {
  const { subject, html, text, variable_schema: variableSchema, layout_id: layout, translations } = row;
  return { subject, html, text, variableSchema, layout, translations, inlineCss: row.inline_css };
}

export function contentOfRow(row: TemplateContentRow): TemplateContent {
  const { subject, html, text, variable_schema, layout_id, partials, translations } = row;
  return {
    ...{ subject, html, text, partials, translations },
    variableSchema: variable_schema,
    layoutId: layout_id,
    inlineCss: row.inline_css,
  };
}

export function isSameContent(before: TemplateContent, next: TemplateContent): boolean {
  return (
    isSameText(before, next) &&
    before.inlineCss === next.inlineCss &&
    before.layoutId === next.layoutId &&
    JSON.stringify(before.variableSchema) === JSON.stringify(next.variableSchema) &&
    inOrder(before.partials) === inOrder(next.partials) &&
    hasSameTranslations(before.translations ?? [], next.translations ?? [])
  );
}

type Texts = Pick<TemplateContent, 'subject' | 'html' | 'text'>;

function isSameText(before: Texts, next: Texts): boolean {
  return before.subject === next.subject && before.html === next.html && before.text === next.text;
}

function hasSameTranslations(before: readonly Translation[], next: readonly Translation[]): boolean {
  return (
    before.length === next.length &&
    before.every((one, place) => {
      const other = next[place];
      return other !== undefined && one.locale === other.locale && isSameText(one, other);
    })
  );
}

/** PostgreSQL changes the order of keys in jsonb, so keys are sorted for comparison. */
function inOrder(partials: TemplateContent['partials']): string {
  return JSON.stringify(Object.entries(partials ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
