/** Languages as BCP 47 names them, and which of several comes nearest: `pt-BR`, then `pt`. */

/** Longer ones exist, with private parts that nobody writes mail in. */
export const MAX_LOCALE_CHARS = 35;

/** As it is usually written; null where it is none. */
export function canonicalLocale(text: string): string | null {
  // Longer first parts are allowed, and no language has one.
  if (text.length > MAX_LOCALE_CHARS || !/^[a-z]{2,3}(?:-|$)/i.test(text)) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** Of those that there are, the one that is asked for, or the nearest that is wider; null where there is none. */
export function nearestLocale(wanted: string | null, known: readonly string[]): string | null {
  for (let locale = wanted; locale !== null && locale !== ''; locale = wider(locale)) {
    if (known.includes(locale)) return locale;
  }
  return null;
}

/** Without its last part; a single letter says what the part after it is, and goes with it (RFC 4647, 3.4). */
function wider(locale: string): string | null {
  const end = locale.lastIndexOf('-');
  if (end < 0) return null;
  const rest = locale.slice(0, end);
  return /(^|-)[A-Za-z0-9]$/.test(rest) ? rest.replace(/-?[A-Za-z0-9]$/, '') : rest;
}
