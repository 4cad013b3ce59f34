/** Runs an example as its reader would: saved as a file, and given to the program of its language. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Language } from '../../../docs-site/reference/snippets.ts';
import { GO_CACHE, PROGRAMS } from './programs.ts';

interface Way {
  readonly file: string;
  /** Where it is not the program of the language that runs the file. */
  readonly program?: string;
  readonly args?: readonly string[];
}

const TOOLCHAINS: Readonly<Record<Language, Way>> = {
  curl: { program: '/bin/bash', file: 'send.sh' },
  JavaScript: { file: 'send.mjs' },
  Python: { file: 'send.py' },
  PHP: { file: 'send.php' },
  Ruby: { file: 'send.rb' },
  Go: { file: 'send.go', args: ['run'] },
};

/** What it printed. */
export async function runProgram(
  language: Language,
  code: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { program = PROGRAMS[language], file, args = [] } = TOOLCHAINS[language];
  const place = path.join(folder, file);
  await writeFile(place, code);
  const own = { ...process.env, GOCACHE: GO_CACHE, ...env };
  const { stdout } = await promisify(execFile)(program, [...args, place], { env: own, cwd: folder });
  return stdout;
}
