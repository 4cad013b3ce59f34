/** The one writer of `inbound_routes`: the addresses at the names where organizations receive mail. */
import { type Sql, sql } from '../database/sql.ts';

export interface InboundRoute {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly local: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly created_at: Date;
}

const COLUMNS = 'organization_id, id, name, local, description, enabled, created_at';

const selectAll = sql<InboundRoute>(
  'inbound_routes.list',
  `SELECT ${COLUMNS} FROM inbound_routes WHERE organization_id = $1 ORDER BY name, local = '*', local`,
  { home: 'cell', organization: '$1' },
);

const selectOne = sql<InboundRoute>(
  'inbound_routes.find',
  `SELECT ${COLUMNS} FROM inbound_routes WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

const count = sql<{ count: number }>(
  'inbound_routes.count',
  'SELECT count(*) AS count FROM inbound_routes WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

const insert = sql<InboundRoute>(
  'inbound_routes.insert',
  `INSERT INTO inbound_routes (organization_id, id, name, local, description, enabled, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

const update = sql<InboundRoute>(
  'inbound_routes.update',
  `UPDATE inbound_routes SET description = $3, enabled = $4
   WHERE organization_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

const remove = sql<InboundRoute>(
  'inbound_routes.remove',
  `DELETE FROM inbound_routes WHERE organization_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

export function inboundRoutes(db: Sql, organizationId: string): Promise<InboundRoute[]> {
  return db.many(selectAll, [organizationId]);
}

export function findInboundRoute(
  db: Sql,
  organizationId: string,
  id: string,
): Promise<InboundRoute | undefined> {
  return db.maybeOne(selectOne, [organizationId, id]);
}

export async function countInboundRoutes(db: Sql, organizationId: string): Promise<number> {
  return (await db.one(count, [organizationId])).count;
}

/** Undefined if the address already has a route. */
export function insertInboundRoute(db: Sql, route: InboundRoute): Promise<InboundRoute | undefined> {
  const { organization_id, id, name, local, description, enabled, created_at } = route;
  return db.maybeOne(insert, [organization_id, id, name, local, description, enabled, created_at]);
}

export function updateInboundRoute(
  db: Sql,
  { organization_id, id, description, enabled }: InboundRoute,
): Promise<InboundRoute | undefined> {
  return db.maybeOne(update, [organization_id, id, description, enabled]);
}

export function removeInboundRoute(
  db: Sql,
  organizationId: string,
  id: string,
): Promise<InboundRoute | undefined> {
  return db.maybeOne(remove, [organizationId, id]);
}
