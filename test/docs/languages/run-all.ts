/**
 * Runs many examples of one language in one process, one after the other, as they are written; only the address of the installation
 * is another one for each, so that a server can tell who is calling. What an example prints is not looked at.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../../docs-site/reference/snippets.ts';
import { GO_CACHE, PROGRAMS } from './programs.ts';

export interface Example {
  readonly name: string;
  readonly code: string;
  /** Its POSTRIDER_URL. */
  readonly url: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSX = new URL(import.meta.resolve('tsx')).href;

interface Driver {
  readonly ending: string;
  /** Runs all files of the folder that `examples.json` names. Absent where they are one program anyway. */
  readonly text?: string;
  readonly command: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
}

/** What went wrong, by name; empty if nothing did. Files are left in `folder`. */
export async function runAll(
  language: Language,
  examples: readonly Example[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const driver = DRIVERS[language];
  mkdirSync(folder, { recursive: true });
  const files = examples.map(({ name, code, url }, index) => {
    const file = path.join(folder, `example${index}.${driver.ending}`);
    writeFileSync(file, `${code}\n`);
    return { name, url, file };
  });
  writeFileSync(path.join(folder, 'examples.json'), JSON.stringify(files));
  if (language === 'JavaScript') linkClient(folder);
  if (language === 'Go') writeFileSync(path.join(folder, 'driver.go'), goProgram(examples));
  else writeFileSync(path.join(folder, `driver.${driver.ending}`), driver.text ?? bashProgram(files));
  const [program = '', ...args] = driver.command(folder);
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? folder, ...env, ...driver.env?.(folder) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problems = '';
  child.stderr.on('data', (data: Buffer) => (problems += data));
  const [code] = await once(child, 'close');
  return code === 0 ? '' : `${language} ended with ${code}: ${problems}`;
}

const DRIVERS: Readonly<Record<Language, Driver>> = {
  curl: { ending: 'sh', command: (folder) => ['/bin/bash', path.join(folder, 'driver.sh')] },
  JavaScript: {
    ending: 'mjs',
    command: (folder) => [PROGRAMS.JavaScript, '--import', TSX, path.join(folder, 'driver.mjs')],
    text: `import { readFileSync } from 'node:fs';
for (const { name, url, file } of JSON.parse(readFileSync('examples.json', 'utf8'))) {
  process.env.POSTRIDER_URL = url;
  await import(file).catch((error) => {
    console.error(name, error);
    process.exitCode = 1;
  });
}
`,
  },
  Python: {
    ending: 'py',
    command: (folder) => [PROGRAMS.Python, path.join(folder, 'driver.py')],
    env: () => ({ PYTHONPATH: path.join(ROOT, 'clients', 'python'), PYTHONDONTWRITEBYTECODE: '1' }),
    text: `import json, os, runpy, sys, traceback
code = 0
for one in json.load(open("examples.json")):
    os.environ["POSTRIDER_URL"] = one["url"]
    try:
        runpy.run_path(one["file"])
    except BaseException:
        print(one["name"], traceback.format_exc(), file=sys.stderr)
        code = 1
sys.exit(code)
`,
  },
  PHP: {
    ending: 'php',
    command: (folder) => [PROGRAMS.PHP, path.join(folder, 'driver.php')],
    text: `<?php
set_error_handler(fn ($level, $message) => throw new ErrorException($message));
function run(string $file): void { include $file; }
$code = 0;
foreach (json_decode(file_get_contents('examples.json')) as $one) {
    putenv('POSTRIDER_URL=' . $one->url);
    try { run($one->file); } catch (Throwable $error) { fwrite(STDERR, $one->name . ' ' . $error . "\\n"); $code = 1; }
}
exit($code);
`,
  },
  Ruby: {
    ending: 'rb',
    command: (folder) => [PROGRAMS.Ruby, path.join(folder, 'driver.rb')],
    text: `require 'json'
code = 0
JSON.parse(File.read('examples.json')).each do |one|
  ENV['POSTRIDER_URL'] = one['url']
  begin
    load one['file'], true
  rescue Exception => error
    warn "#{one['name']} #{error.full_message}"
    code = 1
  end
end
exit code
`,
  },
  Go: {
    ending: 'txt',
    command: () => [PROGRAMS.Go, 'run', 'driver.go'],
    env: () => ({ GOCACHE: GO_CACHE }),
  },
};

/** As an installed package would be found, from the sources. */
function linkClient(folder: string): void {
  mkdirSync(path.join(folder, 'node_modules', '@postrider'), { recursive: true });
  symlinkSync(path.join(ROOT, 'sdk'), path.join(folder, 'node_modules', '@postrider', 'sdk'));
}

function bashProgram(files: readonly { name: string; url: string; file: string }[]): string {
  const lines = files.map(
    ({ name, url, file }) =>
      `( export POSTRIDER_URL='${url}'; . '${file}' ) || { echo '${name}' >&2; code=1; }`,
  );
  return `code=0\n${lines.join('\n')}\nexit $code\n`;
}

/** One program of all of them, which is compiled once. */
function goProgram(examples: readonly Example[]): string {
  const parts = examples.map(({ name, code }) => {
    const [, imports = '', body] =
      /^package main\n\nimport \(\n([^)]*)\)\n\nfunc main\(\) \{\n([\s\S]*)\n\}$/.exec(code) ?? [];
    if (body === undefined) throw new Error(`${name}: this is no program of one function`);
    return { imports: imports.split('\n').filter(Boolean), body };
  });
  const imports = [...new Set(['\t"os"', ...parts.flatMap((part) => part.imports)])].sort();
  const functions = parts.map(({ body }, index) => `func example${index}() {\n${body}\n}\n`);
  const calls = examples.map(
    ({ url }, index) => `\tos.Setenv("POSTRIDER_URL", ${JSON.stringify(url)})\n\texample${index}()\n`,
  );
  return `package main\n\nimport (\n${imports.join('\n')}\n)\n\n${functions.join('\n')}\nfunc main() {\n${calls.join('')}}\n`;
}
