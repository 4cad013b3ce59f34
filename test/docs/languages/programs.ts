/** The languages that examples are written in, and what runs them. A language whose program is not installed is skipped. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '../../../docs-site/reference/snippets.ts';

/** By Debian's names, and where its packages put them. */
export const PROGRAMS: Readonly<Record<Language, string>> = {
  curl: '/usr/bin/curl',
  JavaScript: process.execPath,
  Python: '/usr/bin/python3',
  PHP: '/usr/bin/php',
  Go: '/usr/bin/go',
  Ruby: '/usr/bin/ruby',
};

/** A page that names another is mistaken, and not to be skipped. */
export function languageOf(name: string): Language {
  if (!Object.hasOwn(PROGRAMS, name)) throw new Error(`Nothing is known that runs ${name}.`);
  return name as Language;
}

export function isInstalled(language: Language): boolean {
  return existsSync(PROGRAMS[language]);
}

/** Go compiles its own library first, for tens of seconds: once for all tests, and not into the home of whoever runs them. */
export const GO_CACHE = path.resolve('node_modules/.cache/postrider-go');
