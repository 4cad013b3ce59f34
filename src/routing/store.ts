/** The one writer of `transports` and `route_table`. */
import { sealedColumn } from '../database/sealed-column.ts';
import { type Sql, sql } from '../database/sql.ts';
import { wakeForRoutes } from '../outbox/wake.ts';
import { readPercents } from './canary/store.ts';
import type { RouteTable, Rule, Transport } from './table.ts';

export interface StoredTransport {
  readonly transport: Transport;
  readonly sealedPassword: Buffer | null;
}

export interface StoredTable {
  readonly version: number;
  readonly transports: readonly StoredTransport[];
  readonly rules: readonly Rule[];
}

const selectVersion = sql<{ version: number }>('route_table.version', 'SELECT version FROM route_table', {
  home: 'control',
});

/** One statement, so that both tables are read in the same state. */
const selectTable = sql<{
  version: number;
  rules: readonly Rule[];
  transport: Transport | null;
  password: Buffer | null;
}>(
  'route_table.read',
  `SELECT version, rules, t.settings || jsonb_build_object('name', t.name, 'kind', t.kind) AS transport, t.password
   FROM route_table LEFT JOIN transports t ON true ORDER BY t.name`,
  { home: 'control' },
);

const selectRules = sql<{ rules: readonly Rule[] }>('route_table.rules', 'SELECT rules FROM route_table', {
  home: 'control',
});

const lockVersion = sql<{ version: number }>(
  'route_table.lock',
  'SELECT version FROM route_table FOR UPDATE',
  { home: 'control' },
);

const removeTransports = sql(
  'transports.remove_others',
  'DELETE FROM transports WHERE name <> ALL ($1::text[])',
  { home: 'control' },
);

const upsertTransports = sql(
  'transports.put',
  `INSERT INTO transports (name, kind, settings, password)
   SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[], $4::bytea[])
   ON CONFLICT (name) DO UPDATE SET
     kind = excluded.kind, settings = excluded.settings, password = excluded.password`,
  { home: 'control' },
);

const updateRules = sql<{ version: number }>(
  'route_table.put',
  'UPDATE route_table SET version = version + 1, rules = $1, changed_at = now() RETURNING version',
  { home: 'control' },
);

export const sealedRelayPasswords = sealedColumn('transports', 'password', { idColumn: 'name' });

export async function routeVersion(db: Sql): Promise<number> {
  return (await db.one(selectVersion)).version;
}

export async function readStoredTable(db: Sql): Promise<StoredTable> {
  const rows = await db.many(selectTable);
  return {
    version: rows[0]?.version ?? 0,
    rules: rows[0]?.rules ?? [],
    transports: rows.flatMap(({ transport, password }) =>
      transport === null ? [] : [{ transport, sealedPassword: password }],
    ),
  };
}

export async function readTable(db: Sql): Promise<RouteTable> {
  const { version, rules, transports } = await readStoredTable(db);
  const percents = await readPercents(db);
  return { version, rules, percents, transports: transports.map(({ transport }) => transport) };
}

export async function readRules(db: Sql): Promise<readonly Rule[]> {
  return (await db.maybeOne(selectRules))?.rules ?? [];
}

/** Locks the table against changes until the transaction ends. */
export async function lockTable(tx: Sql): Promise<number> {
  return (await tx.one(lockVersion)).version;
}

/** Replaces the whole table and returns the new version. The caller holds the lock. */
export async function putTable(
  tx: Sql,
  transports: readonly StoredTransport[],
  rules: readonly Rule[],
): Promise<number> {
  await tx.exec(removeTransports, [transports.map(({ transport }) => transport.name)]);
  await tx.exec(upsertTransports, [
    transports.map(({ transport }) => transport.name),
    transports.map(({ transport }) => transport.kind),
    transports.map(({ transport }) => JSON.stringify(settingsOf(transport))),
    transports.map(({ sealedPassword }) => sealedPassword),
  ]);
  const { version } = await tx.one(updateRules, [JSON.stringify(rules)]);
  await wakeForRoutes(tx);
  return version;
}

function settingsOf({ name: _name, kind: _kind, ...settings }: Transport): object {
  return settings;
}
