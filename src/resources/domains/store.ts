/** The one writer of `domains`. */
import { type Sql, sql } from '../../database/sql.ts';

export interface DomainRow {
  readonly id: string;
  readonly organization_id: string;
  readonly domain: string;
  readonly spf_verified: boolean;
  readonly dkim_verified: boolean;
  readonly verified_at: Date | null;
  readonly created_at: Date;
}

const COLUMNS = 'id, organization_id, domain, spf_verified, dkim_verified, verified_at, created_at';

const insert = sql<DomainRow>(
  'domains.insert',
  `INSERT INTO domains (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
);

const selectVerified = sql<DomainRow>(
  'domains.find_verified',
  `SELECT ${COLUMNS} FROM domains
   WHERE organization_id = $1 AND domain = $2 AND spf_verified AND dkim_verified`,
);

export function insertDomain(db: Sql, row: DomainRow): Promise<DomainRow> {
  return db.one(insert, [
    row.id,
    row.organization_id,
    row.domain,
    row.spf_verified,
    row.dkim_verified,
    row.verified_at,
    row.created_at,
  ]);
}

/** The organization's own domain of exactly this canonical name, when mail may be sent from it. */
export function findVerified(
  db: Sql,
  organizationId: string,
  domain: string,
): Promise<DomainRow | undefined> {
  return db.maybeOne(selectVerified, [organizationId, domain]);
}
