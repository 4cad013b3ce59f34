/** A template in other languages. All of them are one version: an edit to one is an edit to the template. */
import { nearestLocale } from '../runtime/locale.ts';

export interface Translation {
  readonly locale: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export interface Translated {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly translations: readonly Translation[] | null;
}

/** In which of its languages somebody gets it; null is as it was written. */
export function localeIn(
  { translations }: Pick<Translated, 'translations'>,
  wanted: string | null,
): string | null {
  if (translations === null || wanted === null) return null;
  return nearestLocale(
    wanted,
    translations.map(({ locale }) => locale),
  );
}

/** Its texts in the nearest language that it has. */
export function textsIn(template: Translated, wanted: string | null) {
  const locale = localeIn(template, wanted);
  const { subject, html, text } =
    template.translations?.find((translation) => translation.locale === locale) ?? template;
  return { subject, html, text };
}

/** Its own texts, and those in other languages. */
export function allTexts({ html, text, translations }: Omit<Translated, 'subject'>): string[] {
  return [html, text, ...(translations ?? []).flatMap((one) => [one.html, one.text])];
}
