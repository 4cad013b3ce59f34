/** A preview of pending migrations, computed without running them. */
import {
  firstOffline,
  type Migration,
  readMigrations,
  refuseNewer,
  schemaNeededBy,
  schemaVersions,
} from './migrate.ts';
import { type Sql, sql } from './sql.ts';
import { partsOf, statementsIn } from './sql-script.ts';

interface PlannedMigration {
  readonly name: string;
  readonly effects: readonly SizedEffect[];
  /** The schema version that running code must know to continue; 0 if there is no new requirement. */
  readonly needs: number;
}

/** The last estimate of PostgreSQL; null for an effect without a single table. */
export interface SizedEffect extends MigrationEffect {
  readonly rows: number | null;
  readonly bytes: number | null;
}

export interface MigrationPlan {
  /** The schema version of the database. */
  readonly version: number;
  readonly pending: readonly PlannedMigration[];
  /** Whether processes of the current schema version can continue during and after the migration. */
  readonly isOnline: boolean;
}

const selectSizes = sql<{ name: string; rows: number; bytes: number }>(
  'migrations.sizes',
  `SELECT asked.name, sum(greatest(c.reltuples, 0))::float8 AS rows, sum(pg_total_relation_size(c.oid))::float8 AS bytes
   FROM unnest($1::text[]) AS asked(name)
   LEFT JOIN LATERAL pg_partition_tree(to_regclass(asked.name)) AS part ON part.isleaf
   JOIN pg_class c ON c.oid = coalesce(part.relid, to_regclass(asked.name))
   GROUP BY asked.name`,
  { home: 'either' },
);

export async function planMigrations(
  db: Sql,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationPlan> {
  const versions = await schemaVersions(db);
  refuseNewer(versions);
  const { version } = versions;
  const pending = migrations.filter((one) => one.version > version);
  const planned = pending.map((one) => ({ ...one, effects: effectsOf(one.text) }));
  const tables = planned.flatMap(({ effects }) => effects.flatMap(({ table }) => table ?? []));
  const sizes = new Map((await db.many(selectSizes, [[...new Set(tables)]])).map((one) => [one.name, one]));
  // A table created by an earlier pending migration is not in use.
  const isFelt = ({ table }: MigrationEffect) => table === null || sizes.has(table);
  const sized = (effect: MigrationEffect): SizedEffect => {
    const size = sizes.get(effect.table ?? '');
    return { ...effect, rows: size?.rows ?? null, bytes: size?.bytes ?? null };
  };
  return {
    version,
    pending: planned.map((one) => ({
      name: one.name,
      effects: version === 0 ? [] : one.effects.filter(isFelt).map(sized),
      needs: schemaNeededBy(one),
    })),
    isOnline: firstOffline(pending, version) === undefined,
  };
}

/** `lock`: others wait briefly. `long`: others wait in proportion to the table's size. `breaks`: older code may fail. */
interface MigrationEffect {
  readonly kind: 'lock' | 'long' | 'breaks';
  readonly table: string | null;
  readonly what: string;
}

/** The objects that the migration itself has created, which are not in use yet. */
interface Made {
  readonly tables: ReadonlySet<string>;
  /** `table.column` */
  readonly columns: ReadonlySet<string>;
  /** `table.constraint`, of dropped constraints, which may be added again with a wider rule. */
  readonly dropped: ReadonlySet<string>;
}

type Found = MigrationEffect | null;
type Rule = readonly [RegExp, (match: readonly string[], made: Made) => Found];

/**
 * Predicts from its text how a migration affects processes that use the database meanwhile. Pure.
 *
 * Two versions of Postrider share one schema during an upgrade, so a migration adds (expands). A migration that removes
 * something (contracts) must wait until no code uses it, and declares this. Statements unknown to this module count as
 * removing.
 */
export function effectsOf(script: string): MigrationEffect[] {
  const statements = statementsIn(script);
  const made = madeBy(statements);
  return statements
    .flatMap((statement) => actionsOf(statement))
    .map((action) => effectOf(action, made))
    .filter((found) => found !== null)
    .filter(({ table }) => table === null || !made.tables.has(table));
}

/** An ALTER TABLE may contain several actions; each becomes a statement of its own. */
function actionsOf(statement: string): string[] {
  const match = /^(ALTER TABLE (?:IF EXISTS )?(?:ONLY )?\S+) (.*)$/i.exec(statement);
  if (match === null) return [statement];
  return partsOf(match[2] ?? '').map((action) => `${match[1]} ${action}`);
}

function effectOf(action: string, made: Made): Found {
  for (const [pattern, tell] of RULES) {
    const match = pattern.exec(action);
    if (match !== null) return tell(match, made);
  }
  return breaks(null, `does what this check does not know: ${action.slice(0, 60)}`);
}

const ALTER = '^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\\S+)';
const action = (rest: string) => new RegExp(`${ALTER} ${rest}`, 'i');

const RULES: readonly Rule[] = [
  [
    /^CREATE (?:UNLOGGED )?(TABLE|VIEW|FUNCTION|TYPE|DOMAIN|SEQUENCE|COLLATION|SCHEMA|EXTENSION|STATISTICS)\b/i,
    () => null,
  ],
  [/^CREATE OR REPLACE (FUNCTION|VIEW)\b/i, () => null],
  [/^CREATE( UNIQUE)? INDEX( CONCURRENTLY)? .*?ON (?:ONLY )?(\w+)[^(]*\((.*)$/i, index],
  [/^CREATE (?:OR REPLACE )?TRIGGER .*? ON (\w+)/i, ([, table = '']) => lock(table)],
  [action('ADD COLUMN (?:IF NOT EXISTS )?(\\S+) (.*)$'), addColumn],
  [action('ADD CONSTRAINT (\\S+) (.*)$'), addConstraint],
  [action('VALIDATE CONSTRAINT'), ([, table = '']) => long(table, 'reads all of it')],
  [action('DROP CONSTRAINT'), ([, table = '']) => lock(table)],
  [
    action('ALTER (?:COLUMN )?\\S+ (SET DEFAULT|DROP NOT NULL|SET STATISTICS|SET STORAGE)'),
    ([, t = '']) => lock(t),
  ],
  [action('(SET|RESET) \\('), ([, table = '']) => lock(table)],
  [action('(ATTACH PARTITION|ENABLE TRIGGER)'), ([, table = '']) => lock(table)],
  [action('(.*)$'), ([, table = '', what = '']) => breaks(table, what)],
  [/^(ALTER INDEX|DROP INDEX|COMMENT|GRANT|ANALYZE|SELECT|SET)\b/i, () => null],
  [
    /^(?:INSERT INTO|UPDATE(?: ONLY)?|DELETE FROM(?: ONLY)?) (\w+)/i,
    ([, table = '']) => long(table, 'changes rows of it'),
  ],
  [/^(WITH|DO)\b/i, () => long(null, 'changes rows')],
  [
    /^DROP (\w+) (?:IF EXISTS )?(\S+)/i,
    ([, kind = '', name = '']) =>
      breaks(/^table$/i.test(kind) ? name : null, `DROP ${kind.toUpperCase()} ${name}`),
  ],
];

function index(
  [, unique, concurrently, table = '', columns = '']: readonly (string | undefined)[],
  made: Made,
): Found {
  const isOfNewColumn = columns.split(/\W+/).some((column) => made.columns.has(`${table}.${column}`));
  if (unique !== undefined && !isOfNewColumn && !made.tables.has(table))
    return breaks(table, 'makes unique what was not');
  return long(
    table,
    concurrently === undefined ? 'builds an index; writes to it wait' : 'builds an index; nothing waits',
  );
}

function addColumn([, table = '', column = '', definition = '']: readonly string[]): Found {
  const isFilled = /\b(DEFAULT|GENERATED)\b/i.test(definition);
  if (/\bNOT NULL\b/i.test(definition) && !isFilled)
    return breaks(table, `adds ${column}, which has to be given`);
  // A default that is the same for all rows is stored once; any other is written to every row.
  if (/\bGENERATED\b|\bDEFAULT \w*(random|uuid|clock_timestamp|nextval)/i.test(definition))
    return long(table, 'rewrites it');
  if (/\b(CHECK|REFERENCES|UNIQUE|PRIMARY KEY)\b/i.test(definition)) return long(table, 'reads all of it');
  return lock(table);
}

/** A constraint that was just dropped is assumed to be wider now: one more permitted value, or one more key column. */
function addConstraint([, table = '', name = '', rule = '']: readonly string[], made: Made): Found {
  if (!made.dropped.has(`${table}.${name}`)) return breaks(table, `refuses rows by ${name}`);
  return /\bNOT VALID$|\bUSING INDEX\b/i.test(rule) ? lock(table) : long(table, 'reads all of it');
}

function madeBy(statements: readonly string[]): Made {
  const actions = statements.flatMap((statement) => actionsOf(statement));
  const found = (pattern: RegExp) =>
    new Set(actions.flatMap((one) => pattern.exec(one)?.slice(1).join('.') ?? []));
  return {
    tables: found(/^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([\w."]+)/i),
    columns: found(action('ADD COLUMN (?:IF NOT EXISTS )?(\\S+)')),
    dropped: found(action('DROP CONSTRAINT (?:IF EXISTS )?(\\S+)')),
  };
}

const lock = (table: string): MigrationEffect => ({ kind: 'lock', table, what: 'locks it for a moment' });
const long = (table: string | null, what: string): MigrationEffect => ({ kind: 'long', table, what });
const breaks = (table: string | null, what: string): MigrationEffect => ({ kind: 'breaks', table, what });
