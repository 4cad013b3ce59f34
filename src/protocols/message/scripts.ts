/**
 * Detects mixed scripts by the "highly restrictive" level of UTS 39: one script, or Latin together with the
 * scripts of Japanese, Korean or Chinese. Latin mixed with Cyrillic or Greek is typical of look-alike names.
 */

const SINGLE_SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Armenian',
  'Bengali',
  'Canadian_Aboriginal',
  'Cherokee',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Nko',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
  'Tifinagh',
];
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];

const ALLOWED = [...SINGLE_SCRIPTS.map((script) => [script]), ...TOGETHER].map(onlyThese);

export function mixesScripts(word: string): boolean {
  return !ALLOWED.some((pattern) => pattern.test(word));
}

function onlyThese(scripts: readonly string[]): RegExp {
  const classes = scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('');
  return new RegExp(`^[${classes}\\p{Script=Common}\\p{Script=Inherited}]*$`, 'u');
}
