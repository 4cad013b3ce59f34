import { describe, expect, it } from 'vitest';
import { effectsOf } from './migration-plan.ts';

const kinds = (script: string) => effectsOf(script).map(({ kind, table }) => `${kind} ${table}`);

describe('the effect of a migration on running processes', () => {
  it.each([
    ['CREATE TABLE holds (id text PRIMARY KEY); CREATE INDEX holds_id ON holds (id);', []],
    ['ALTER TABLE emails ADD COLUMN note text;', ['lock emails']],
    [`ALTER TABLE emails ADD COLUMN note text NOT NULL DEFAULT 'a, b; c';`, ['lock emails']],
    ['ALTER TABLE emails ADD COLUMN a text, ADD COLUMN b numeric(3, 2);', ['lock emails', 'lock emails']],
    ['ALTER TABLE emails ADD COLUMN number integer GENERATED ALWAYS AS IDENTITY;', ['long emails']],
    ['ALTER TABLE emails ADD COLUMN id2 uuid DEFAULT gen_random_uuid();', ['long emails']],
    ['CREATE INDEX slow ON emails (subject);', ['long emails']],
    ['-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS slow ON emails (subject);', ['long emails']],
    ['UPDATE domains SET note = 1;', ['long domains']],
    ['CREATE OR REPLACE FUNCTION f() RETURNS void AS $$ DROP TABLE emails; $$ LANGUAGE sql;', []],
    ['/* ALTER TABLE emails DROP COLUMN x; */ SELECT 1; -- DROP TABLE emails;', []],
    ['ALTER TABLE t ALTER COLUMN c DROP NOT NULL;', ['lock t']],
    [
      'ALTER TABLE t DROP CONSTRAINT c, ADD CONSTRAINT c CHECK (x IN (1, 2, 3)) NOT VALID;',
      ['lock t', 'lock t'],
    ],
    [
      'ALTER TABLE t DROP CONSTRAINT t_pkey, ADD CONSTRAINT t_pkey PRIMARY KEY USING INDEX t_key;',
      ['lock t', 'lock t'],
    ],
    ['ALTER TABLE t ADD COLUMN c text; CREATE UNIQUE INDEX i ON t (o, c);', ['lock t', 'long t']],
  ])('that keeps older code working: %s', (script, expected) => {
    expect(kinds(script)).toEqual(expected);
  });

  it.each([
    'ALTER TABLE emails DROP COLUMN note;',
    'ALTER TABLE emails RENAME COLUMN note TO remark;',
    'ALTER TABLE emails RENAME TO mails;',
    'ALTER TABLE emails ALTER COLUMN note TYPE varchar(10);',
    'ALTER TABLE emails ALTER note SET NOT NULL;',
    'ALTER TABLE emails ADD COLUMN note text NOT NULL;',
    'ALTER TABLE emails ADD CONSTRAINT short CHECK (length(note) < 10) NOT VALID;',
    'CREATE UNIQUE INDEX i ON emails (subject);',
    'DROP TABLE emails;',
    'DROP FUNCTION accept_emails;',
    'DROP FUNCTION f; CREATE FUNCTION f(more text) RETURNS void AS $$ $$ LANGUAGE sql;',
    'TRUNCATE emails;',
    'REINDEX TABLE emails;',
  ])('that removes something older code may use: %s', (script) => {
    expect(kinds(script).some((one) => one.startsWith('breaks'))).toBe(true);
  });
});
