/** A preview of pending migrations, computed without running them. */
import {
  firstOffline,
  type Migration,
  readMigrations,
  refuseNewer,
  schemaNeededBy,
  schemaVersions,
} from './migrate.ts';
import { effectsOf, type MigrationEffect } from './migration-effects.ts';
import { type Sql, sql } from './sql.ts';

export interface PlannedMigration {
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
