/** What examples write for a value, read back by the language itself: quotes, line breaks, backslashes and dollars included. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  type Dialect,
  goJson,
  goText,
  inShellQuotes,
  JAVASCRIPT,
  JSON_TEXT,
  literal,
  PHP,
  PYTHON,
  RUBY,
  shellText,
} from '../../docs-site/reference/literals.ts';
import type { Language } from '../../docs-site/reference/snippets.ts';
import { GO_CACHE, isInstalled, PROGRAMS } from './languages/programs.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'postrider-literals-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const CHARACTERS = '\'"`\\$#{}%<>?&!|;\n\r\t \u0001\u007f\u2028é漢😀n0u';
const WORDS = ['#{1}\n', `\${a}\n`, '$a\t', '\\n', "'\\''", '$(a)', '%s', '?>'];

/** What is special somewhere comes often. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CHARACTERS, ...WORDS) },
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !text.includes('\0')),
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      tie('any'),
      { maxKeys: 3 },
    ),
  ),
})).any;

const sample = () => fc.sample(value, 300);
const texts = () => fc.sample(text, 300);

async function output(language: Language | 'shell', file: string, program: string): Promise<string> {
  const place = path.join(folder, file);
  writeFileSync(place, program);
  const command = language === 'shell' ? '/bin/bash' : PROGRAMS[language];
  const args = language === 'Go' ? ['run', place] : [place];
  const env = { ...process.env, GOCACHE: GO_CACHE };
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** How a language is told to print a list of values as JSON. */
const PRINTS: readonly (readonly [Language, Dialect, string, (list: string) => string])[] = [
  ['JavaScript', JAVASCRIPT, 'values.mjs', (list) => `console.log(JSON.stringify(${list}));`],
  ['Python', PYTHON, 'values.py', (list) => `import json\nprint(json.dumps(${list}))`],
  ['PHP', PHP, 'values.php', (list) => `<?php\necho json_encode(${list}, JSON_THROW_ON_ERROR);`],
  ['Ruby', RUBY, 'values.rb', (list) => `require 'json'\nputs JSON.generate(${list})`],
];

describe.concurrent('what examples write for a value', () => {
  for (const [language, dialect, file, print] of PRINTS) {
    it.skipIf(!isInstalled(language))(`is that value in ${language}`, async ({ expect }) => {
      const values = sample();
      const read = JSON.parse(await output(language, file, print(literal(values, dialect))));
      expect(read).toEqual(values);
    });
  }

  it('is that value in JSON', ({ expect }) => {
    for (const one of sample()) expect(JSON.parse(literal(one, JSON_TEXT))).toEqual(one);
  });

  it('is that value in a shell, in single and in double quotes', async ({ expect }) => {
    const values = texts();
    const words = values.flatMap((one) => [shellText(one), `"${inShellQuotes(one)}"`]);
    const printed = await output(
      'shell',
      'values.sh',
      words.map((word) => `printf '%s\\0' ${word}\n`).join(''),
    );
    expect(printed.split('\0').slice(0, -1)).toEqual(values.flatMap((one) => [one, one]));
  });

  it.skipIf(!isInstalled('Go'))(
    'is that value in Go, as text and as JSON',
    async ({ expect }) => {
      const [values, plain] = [sample(), texts()];
      const lines = [
        ...values.map((one) => `	print(${goJson(one)})\n`),
        ...plain.map((one) => `	print(${goText(one)})\n`),
      ];
      const program = `package main\n\nimport "os"\n\nfunc print(text string) {\n	os.Stdout.WriteString(text + "\\x00")\n}\n\nfunc main() {\n${lines.join('')}}\n`;
      const printed = (await output('Go', 'values.go', program)).split('\0').slice(0, -1);
      expect(printed.slice(0, values.length).map((one) => JSON.parse(one))).toEqual(values);
      expect(printed.slice(values.length)).toEqual(plain);
    },
    120_000,
  );
});
