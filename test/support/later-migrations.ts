/** Migrations of a fictitious later version with one of each kind of change, written as CONTRIBUTING.md requires. */
import { knownSchema, type Migration, readMigrations } from '../../src/database/migrate.ts';
import { commandsIn } from '../../src/database/sql-script.ts';

const TEXTS: Readonly<Record<string, string>> = {
  columns: `
    -- Columns; and a rule of one, afterwards.
    ALTER TABLE templates ADD COLUMN later_kind text COLLATE "C" NOT NULL DEFAULT 'a;b', ADD COLUMN later_by text;
    ALTER TABLE templates ADD CONSTRAINT templates_later_kind CHECK (later_kind IN ('a;b', 'c'));
    UPDATE templates SET later_by = 'was ' || name WHERE organization_id <> '';
    ALTER TABLE templates ALTER COLUMN later_by SET DEFAULT 'nobody', ALTER COLUMN later_by SET NOT NULL;
    ALTER TABLE emails ADD COLUMN later_note jsonb, ADD COLUMN later_count integer NOT NULL DEFAULT 7;
    ALTER TABLE emails ADD CONSTRAINT emails_later_count CHECK (later_count >= 0) NOT VALID;
    ALTER TABLE emails VALIDATE CONSTRAINT emails_later_count;
    CREATE INDEX emails_later ON emails (organization_id, later_count) WHERE later_note IS NOT NULL;
    CREATE UNIQUE INDEX templates_later ON templates (organization_id, id, later_kind);`,
  wider: `
    ALTER TABLE events DROP CONSTRAINT events_type_check;
    ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type <> '') NOT VALID;
    ALTER TABLE outbox SET (fillfactor = 70);`,
  tables: `
    CREATE TABLE later_things (
      organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      id              uuid NOT NULL,
      template_id     text COLLATE "C",
      state           text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'old')),
      seen            text[] NOT NULL DEFAULT '{}',
      made_at         timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, state, id),
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, template_id) REFERENCES templates (organization_id, id)
    );
    CREATE INDEX later_things_made ON later_things (made_at) WHERE state = 'new';
    INSERT INTO later_things (organization_id, id) SELECT id, gen_random_uuid() FROM organizations;
    CREATE TABLE later_hints (name text COLLATE "C" PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY);
    CREATE VIEW later_view AS SELECT organization_id, id FROM later_things WHERE state = 'new';
    DELETE FROM later_hints;`,
  weeks: `
    CREATE TABLE later_weeks (
      organization_id text COLLATE "C" NOT NULL, email_id uuid NOT NULL, size integer NOT NULL CHECK (size > 0),
      PRIMARY KEY (organization_id, email_id)
    ) PARTITION BY RANGE (email_id);
    ${last('ensure_email_partitions').replace(`'moved_contents'`, `'moved_contents', 'later_weeks'`)};
    SELECT ensure_email_partitions(to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'emails'::regclass;`,
  functions: `
    ${last('claim_deliveries').replace('BEGIN', 'BEGIN -- again; and so on')};
    ${last('count_usage').replace('BEGIN', 'BEGIN -- again')};
    CREATE FUNCTION later_outbox(wanted text) RETURNS SETOF outbox LANGUAGE sql AS $$
      SELECT * FROM outbox WHERE organization_id = wanted; $$;
    CREATE FUNCTION later_default() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.state := 'old'; RETURN NEW; END $$;
    CREATE TRIGGER later_state BEFORE INSERT ON later_things FOR EACH ROW
      WHEN (NEW.state IS NULL) EXECUTE FUNCTION later_default();
    DO $$ BEGIN
      UPDATE later_things SET state = 'old' WHERE organization_id <> '';
      EXECUTE 'ALTER TABLE later_things ADD COLUMN by_block integer';
    END $$;`,
  index: `-- no-transaction
    CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_later ON outbox (organization_id, due_at)`,
  next_key: `-- no-transaction
    CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS later_things_key ON later_things (id, organization_id)`,
  key: `
    ALTER TABLE later_things DROP CONSTRAINT later_things_pkey;
    ALTER TABLE later_things ADD CONSTRAINT later_things_pkey PRIMARY KEY USING INDEX later_things_key;`,
  contract: `
    DROP VIEW later_view;
    ALTER TABLE later_things DROP COLUMN seen;
    ALTER TABLE later_things RENAME COLUMN by_block TO renamed;
    ALTER TABLE later_things ALTER COLUMN renamed TYPE bigint;
    DROP TRIGGER later_state ON later_things;
    DROP FUNCTION later_default;
    DROP INDEX templates_later;
    DROP TABLE later_hints;
    ALTER INDEX emails_later RENAME TO emails_later_by_count;
    COMMENT ON TABLE later_things IS 'of a later version';`,
};

export const LATER_MIGRATIONS: readonly Migration[] = Object.entries(TEXTS).map(([name, text], i) => {
  const version = knownSchema() + 1 + i;
  return { version, name: `${version}_later_${name}`, text };
});

/** The latest definition of a function. */
function last(name: string): string {
  const made = new RegExp(`^\\s*(?:--[^\\n]*\\n\\s*)*CREATE (?:OR REPLACE )?FUNCTION ${name}\\(`);
  const all = readMigrations().flatMap(({ text }) =>
    commandsIn(text).filter((command) => made.test(command)),
  );
  return (all.at(-1) ?? '').replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');
}
