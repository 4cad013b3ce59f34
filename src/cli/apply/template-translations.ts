/** Normalizes a template's translations for comparison: empty ones are omitted. */
import { canonicalLocale } from '../../runtime/locale.ts';

export interface TranslationInput {
  readonly locale: string;
  readonly subject?: string;
  readonly html?: string;
  readonly text?: string;
}

export function toTranslations(given: readonly TranslationInput[] = []): TranslationInput[] {
  return given
    .map(({ locale, subject = '', html = '', text = '' }) => ({
      locale: canonicalLocale(locale) ?? locale,
      ...(subject === '' ? {} : { subject }),
      ...(html === '' ? {} : { html }),
      ...(text === '' ? {} : { text }),
    }))
    .toSorted((a, b) => (a.locale < b.locale ? -1 : 1));
}
