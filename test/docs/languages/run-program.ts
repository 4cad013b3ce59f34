/** Runs an example as its reader would: saved as a file, and given to the program of its language. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

interface Way {
  readonly program: string;
  readonly file: string;
  readonly args?: readonly string[];
}

/** By the names that the pages give them. Programs are where Debian's packages put them. */
const WAYS: Readonly<Record<string, Way>> = {
  curl: { program: '/bin/bash', file: 'send.sh' },
  JavaScript: { program: process.execPath, file: 'send.mjs' },
  Python: { program: '/usr/bin/python3', file: 'send.py' },
  PHP: { program: '/usr/bin/php', file: 'send.php' },
  Ruby: { program: '/usr/bin/ruby', file: 'send.rb' },
  Go: { program: '/usr/bin/go', file: 'send.go', args: ['run'] },
};

/** Examples in a language whose program is not there are skipped, and counted. */
export function isInstalled(language: string): boolean {
  return existsSync(wayOf(language).program);
}

/** What it printed. */
export async function runProgram(
  language: string,
  code: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { program, file, args = [] } = wayOf(language);
  const place = path.join(folder, file);
  await writeFile(place, code);
  const own = { ...process.env, GOCACHE: path.join(folder, 'go'), ...env };
  const { stdout } = await promisify(execFile)(program, [...args, place], { env: own, cwd: folder });
  return stdout;
}

function wayOf(language: string): Way {
  const way = WAYS[language];
  if (!way) throw new Error(`Nothing is known that runs ${language}.`);
  return way;
}
