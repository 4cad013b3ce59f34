/** The languages that examples are written in, and what runs them. A language whose program is not installed is skipped. */
import { existsSync } from 'node:fs';
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

export function isInstalled(language: Language): boolean {
  return existsSync(PROGRAMS[language]);
}
