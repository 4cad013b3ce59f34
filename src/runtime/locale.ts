/** BCP 47 language tags and the nearest match among several: `pt-BR`, then `pt`. */

/** Longer tags exist, with private parts that are not used for mail. */
export const MAX_LOCALE_CHARS = 35;

/** The canonical spelling; null when the text is not a language tag. */
export function canonicalLocale(text: string): string | null {
  // Longer first parts are valid, but no language has one.
  if (text.length > MAX_LOCALE_CHARS || !/^[a-z]{2,3}(?:-|$)/i.test(text)) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** The requested locale if it is known, or else the nearest wider one; null when there is none. */
export function nearestLocale(wanted: string | null, known: readonly string[]): string | null {
  for (let locale = wanted; locale !== null && locale !== ''; locale = wider(locale)) {
    if (known.includes(locale)) return locale;
  }
  return null;
}

/**
 * Removes the last part. A single letter introduces the part after it and is removed with it (RFC 4647, 3.4).
 */
function wider(locale: string): string | null {
  const end = locale.lastIndexOf('-');
  if (end < 0) return null;
  const rest = locale.slice(0, end);
  return /(^|-)[A-Za-z0-9]$/.test(rest) ? rest.replace(/-?[A-Za-z0-9]$/, '') : rest;
}
