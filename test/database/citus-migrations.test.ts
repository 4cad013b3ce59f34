/** A cell may be a schema that Citus keeps on another node. It takes less of a migration; test/cells/citus-upgrade.test.ts tries what it takes. */
import { describe, expect, it } from 'vitest';
import { readMigrations } from '../../src/database/migrate.ts';
import { partsOf, statementsIn } from '../../src/database/sql-script.ts';
import { LATER_MIGRATIONS } from '../support/later-migrations.ts';

/** Those before are applied before Citus is given a schema. */
const FIRST = 125;

const TAKEN =
  /^(?:CREATE (?:OR REPLACE |UNIQUE )*(?:TABLE|INDEX|FUNCTION|VIEW|TRIGGER|TYPE|DOMAIN|SEQUENCE)|DROP (?:TABLE|INDEX|FUNCTION|VIEW|TRIGGER)|ALTER TABLE|ALTER INDEX \S+ RENAME TO|INSERT|UPDATE|DELETE|SELECT|WITH|DO|COMMENT|ANALYZE)\b/i;

const TAKEN_ACTION =
  /^(?:(?:ADD|DROP) COLUMN|(?:ADD|DROP|VALIDATE) CONSTRAINT|ALTER (?:COLUMN )?\S+ (?:(?:SET|DROP) (?:DEFAULT|NOT NULL)|TYPE|SET DATA TYPE)|(?:SET|RESET) \(|ATTACH PARTITION|RENAME TO|RENAME COLUMN)/i;

/** What Citus would refuse of it, or do in another way than PostgreSQL does. */
function refusedIn(script: string): string[] {
  return statementsIn(script).flatMap((statement) => {
    if (/\bBEGIN ATOMIC\b/i.test(statement))
      return ['a body of statements is not sent whole: use AS $$ … $$'];
    if (/^CREATE UNLOGGED /i.test(statement))
      return ['with an unlogged table a schema cannot be moved in use'];
    if (!TAKEN.test(statement)) return [`not known to be taken: ${statement}`];
    const match = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?\S+ (.*)$/i.exec(statement);
    return match === null ? [] : refusedActions(partsOf(match[1] ?? ''));
  });
}

function refusedActions(actions: readonly string[]): string[] {
  return actions.flatMap((action) => {
    if (!TAKEN_ACTION.test(action)) return [`not taken, or no name given: ${action}`];
    if (/^ADD CONSTRAINT /i.test(action) && actions.length > 1)
      return [`needs a command of its own: ${action}`];
    if (/^ADD COLUMN .*\b(?:CONSTRAINT|CHECK|REFERENCES|UNIQUE|PRIMARY KEY|nextval)\b/i.test(action))
      return [`first the column, then ADD CONSTRAINT with a name: ${action}`];
    return /^ADD COLUMN .*\b(?:IDENTITY|serial|bigserial)\b/i.test(action)
      ? [`no such column later: ${action}`]
      : [];
  });
}

describe('a migration of a schema that Citus has', () => {
  it.each([
    'ALTER TABLE t ADD COLUMN a text CHECK (a <> 1)',
    'ALTER TABLE t ADD COLUMN a text CONSTRAINT c CHECK (a <> 1)',
    'ALTER TABLE t ADD COLUMN a text REFERENCES organizations (id)',
    'ALTER TABLE t ADD COLUMN a integer GENERATED ALWAYS AS IDENTITY',
    'ALTER TABLE t ADD COLUMN a text, ADD CONSTRAINT c CHECK (a <> 1)',
    'ALTER TABLE t DROP CONSTRAINT c, ADD CONSTRAINT c CHECK (a <> 1)',
    'ALTER TABLE t ADD CHECK (a <> 1)',
    'ALTER TABLE t ALTER COLUMN a SET STORAGE EXTERNAL',
    'ALTER TABLE t ALTER COLUMN a DROP IDENTITY',
    'ALTER TABLE t RENAME CONSTRAINT a TO b',
    'CREATE STATISTICS s ON a, b FROM t',
    'CREATE UNLOGGED TABLE t (a text PRIMARY KEY)',
    'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END',
  ])('may not have: %s', (script) => {
    expect(refusedIn(script)).not.toEqual([]);
  });

  it.each([
    `ALTER TABLE t ADD COLUMN a text NOT NULL DEFAULT 'x', ADD COLUMN b integer; ALTER TABLE t ADD CONSTRAINT c CHECK (a <> 'y')`,
    'ALTER TABLE t DROP CONSTRAINT c; ALTER TABLE t ADD CONSTRAINT c CHECK (a <> 1) NOT VALID',
    'CREATE TABLE t (a bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b text CHECK (b <> 1) REFERENCES u (id))',
    'CREATE UNIQUE INDEX i ON t (a); CREATE INDEX CONCURRENTLY IF NOT EXISTS j ON t (b)',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE t ADD CHECK (a); END $$',
  ])('may have: %s', (script) => {
    expect(refusedIn(script)).toEqual([]);
  });

  it.each(
    [...readMigrations(), ...LATER_MIGRATIONS].flatMap(({ version, name, text }) =>
      version < FIRST ? [] : [[name, text] as const],
    ),
  )('%s can be applied there', (_name, text) => {
    expect(refusedIn(text), 'see "A migration" in CONTRIBUTING.md').toEqual([]);
  });
});
