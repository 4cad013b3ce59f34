/** Rules for all of `src` that no compiler checks: where time is read, and what decisions may depend on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('.', import.meta.url));

/** Reads the wall clock. A date made of a given value is not one of these. */
const WALL_CLOCK = /\bDate\.now\(\)|\bnew Date\(\)/;

/** Compares the text of an error with words, or looks for words in it. Punctuation at its end is no decision. */
const TEXT_DECIDES = [
  /\bmessage(\?)?\.(includes|startsWith|endsWith|match|search|indexOf)\((?!['"`]\W?['"`])/,
  /(?<!\[\.\?!\]\$\/)\.(test|exec)\((\w+\.)*(message|detail|problem)\)/,
  /(?<!typeof )\b(\w+\.)*message [!=]== (['"`]\w*[ A-Z]|[A-Z_]{3,}\b)/,
];

/** Files whose errors come from others, which give no code. */
const TEXT_IS_ALL: Readonly<Record<string, string>> = {
  'cli/templates/mjml-tags.ts': 'MJML reports what it drops only as text',
  'cli/run.ts': 'Node.js names an unknown option only in the text of its error',
  'database/errors.ts': 'the PostgreSQL driver and PgBouncer give these failures no code of their own',
  'delivery/tls/session-result.ts': 'the failures of OpenSSL reach the facts of a session as text',
  'http/json-body.ts': 'JSON.parse names the place of a mistake only in the text of its error',
  'operations/move/replication.ts': 'CREATE SUBSCRIPTION reports the refusal of the other server as text',
};
/** Messages between processes, which have the name `message` and are no errors. */
const SIGNALS = new Set(['processes/stop-signals.ts', 'supervisor/role-process.ts']);

function filesWith(patterns: readonly RegExp[]): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(join(SRC, file), 'utf8');
      return patterns.some((pattern) => pattern.test(text));
    })
    .map((file) => relative('.', file))
    .toSorted();
}

it('the wall clock is read in runtime/clock.ts alone', () => {
  expect(filesWith([WALL_CLOCK])).toEqual(['runtime/clock.ts']);
});

it('no decision depends on the text of an error, except where others give nothing else', () => {
  const found = filesWith(TEXT_DECIDES).filter((file) => !SIGNALS.has(file));
  expect(found).toEqual(Object.keys(TEXT_IS_ALL).toSorted());
});
