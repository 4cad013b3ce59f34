/** The one writer of `organization_cells`: the organizations that were placed in a cell explicitly. */

import { type Sql, sql } from '../database/sql.ts';

export interface PlacedOrganization {
  readonly organization_id: string;
  readonly cell: string;
  /** While true, no work for the organization may run. */
  readonly is_moving: boolean;
  /** Increases with every change of the table. */
  readonly version: number;
}

const COLUMNS = 'organization_id, cell, is_moving, version';

const selectSince = sql<PlacedOrganization>(
  'organization_cells.since',
  `SELECT ${COLUMNS} FROM organization_cells WHERE version > $1 ORDER BY version`,
  { home: 'control' },
);

const selectOne = sql<PlacedOrganization>(
  'organization_cells.of',
  `SELECT ${COLUMNS} FROM organization_cells WHERE organization_id = $1`,
  { home: 'control' },
);

/** Serializes changes: versions become visible in order, so that polling by version misses none. */
const lock = sql('organization_cells.lock', `SELECT pg_advisory_xact_lock(hashtext('postrider.cells'))`, {
  home: 'control',
});

const upsert = sql(
  'organization_cells.place',
  `INSERT INTO organization_cells (organization_id, cell, is_moving, version)
   VALUES ($1, $2, $3, (SELECT coalesce(max(version), 0) + 1 FROM organization_cells))
   ON CONFLICT (organization_id) DO UPDATE
     SET cell = excluded.cell, is_moving = excluded.is_moving, version = excluded.version`,
  { home: 'control' },
);

export function changedSince(db: Sql, version: number): Promise<PlacedOrganization[]> {
  return db.many(selectSince, [version]);
}

/** Undefined for an organization that was never placed: it is in the first cell. */
export function placementOf(db: Sql, organizationId: string): Promise<PlacedOrganization | undefined> {
  return db.maybeOne(selectOne, [organizationId]);
}

/** Part of a transaction of control. Other processes apply it `NOTICED_MS` (directory.ts) after the commit. */
export async function assignCell(
  tx: Sql,
  organizationId: string,
  cell: string,
  { isMoving = false }: { readonly isMoving?: boolean } = {},
): Promise<void> {
  await tx.exec(lock);
  await tx.exec(upsert, [organizationId, cell, isMoving]);
}

interface CellFacts {
  /** The PostgreSQL version, such as `17.5`. */
  readonly server: string;
  /** The size of its schema on the disk. */
  readonly bytes: number;
}

const select = sql<CellFacts>(
  'cells.facts',
  `SELECT split_part(current_setting('server_version'), ' ', 1) AS server,
          (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
           WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'm'))::bigint AS bytes`,
  { home: 'either' },
);

/** Facts about a cell's server and the size of its data. Reads only. */
export function cellFactsOf(db: Sql): Promise<CellFacts> {
  return db.one(select);
}

/**
 * Organizations whose cell the configuration does not name. If it names other cells, their requests are refused automatically.
 * If it names none, no cell is looked up, and their mail would be stored and searched in the wrong place, so the server must
 * not start.
 */
