import { describe, expect, it } from 'vitest';
import { readMigrations } from './migrate.ts';
import { commandsIn, statementsIn } from './sql-script.ts';

describe('a script, command by command', () => {
  it.each([
    ['SELECT 1; SELECT 2', ['SELECT 1', ' SELECT 2']],
    [`SELECT 'a;''b;'; SELECT "c;d"`, [`SELECT 'a;''b;'`, ' SELECT "c;d"']],
    [`SELECT E'it\\'s; one'; SELECT 2`, [`SELECT E'it\\'s; one'`, ' SELECT 2']],
    [`SELECT 'ends with \\'; SELECT 2`, [`SELECT 'ends with \\'`, ' SELECT 2']],
    ['-- one; comment\nSELECT 1; /* and; another */', ['-- one; comment\nSELECT 1']],
    ['DO $$ BEGIN a; b; END $$; SELECT 2', ['DO $$ BEGIN a; b; END $$', ' SELECT 2']],
    ['DO $a$ x; $$ y; $$ z; $a$; SELECT 2', ['DO $a$ x; $$ y; $$ z; $a$', ' SELECT 2']],
    ['SELECT a$b$c; SELECT d$b$', ['SELECT a$b$c', ' SELECT d$b$']],
    ['CREATE RULE r AS ON DELETE TO t DO ALSO (SELECT 1; SELECT 2)', 1],
    [`COMMENT ON TABLE t IS 'don''t -- say;'`, 1],
    [';;  ;\n', []],
  ])('%j', (script, expected) => {
    const commands = commandsIn(script);
    if (typeof expected === 'number') expect(commands).toHaveLength(expected);
    else expect(commands).toEqual(expected);
  });

  it.each(readMigrations().map(({ name, text }) => [name, text] as const))(
    'loses nothing of %s',
    (_name, text) => {
      const commands = commandsIn(text);
      expect(commands).toHaveLength(statementsIn(text).length);
      const left = commands.reduce((rest, command) => rest.replace(command, () => ''), text);
      expect(statementsIn(left.replaceAll(';', ''))).toEqual([]);
    },
  );
});
