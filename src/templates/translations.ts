/** Translations of a template. All belong to one version: a change of one creates a version of the template. */
import { nearestLocale } from '../runtime/locale.ts';

export interface Translation {
  readonly locale: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

interface Translated {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly translations: readonly Translation[] | null;
}

/** The translation for the wanted locale; null for the original. */
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

/** The texts of the nearest translation. */
export function textsIn(template: Translated, wanted: string | null) {
  const locale = localeIn(template, wanted);
  const { subject, html, text } =
    template.translations?.find((translation) => translation.locale === locale) ?? template;
  return { subject, html, text };
}

/** The original texts and all translations. */
export function allTexts({ html, text, translations }: Omit<Translated, 'subject'>): string[] {
  return [html, text, ...(translations ?? []).flatMap((one) => [one.html, one.text])];
}
