/** Finds the receiver of an address. Reads only. */
import type { Cell, Database } from '../database/database.ts';
import { firstOfCells } from '../database/per-cell.ts';
import { sql } from '../database/sql.ts';
import { halvesOf } from '../protocols/message/address.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';
import { decodeReplyLocal } from '../protocols/message/reply-address.ts';
import type { DerivedKeys } from '../runtime/key-ring.ts';
import { foldedLocal, localsFor } from './route-address.ts';

export interface Receiver {
  readonly organizationId: string;
  /** In the form in which addresses are compared. */
  readonly address: string;
  /** Null for the reply address of an email. */
  readonly routeId: string | null;
  /** The email that the reply address belongs to. */
  readonly emailId: string | null;
}

export type FoundReceiver =
  | { readonly kind: 'received'; readonly receiver: Receiver }
  /** The name receives mail here, but the address does not exist. */
  | { readonly kind: 'unknown'; readonly local: string | null }
  /** The name does not receive mail here. */
  | { readonly kind: 'elsewhere' };

interface ReceiverDeps {
  readonly db: Database;
  /** The keys that sign reply addresses. */
  readonly keys: DerivedKeys;
  /** The installation's own host, which may also have reply addresses. */
  readonly host: string;
}

interface NameRow {
  readonly organization_id: string;
  readonly id: string | null;
  readonly local: string | null;
}

/** Only while the domain is verified: an organization that no longer proves its ownership gets no mail for it. */
const select = sql<NameRow>(
  'inbound_routes.for_address',
  `SELECT n.organization_id, r.id, r.local
   FROM receiving_names n
   JOIN domains d ON d.organization_id = n.organization_id AND d.id = n.domain_id AND d.spf_verified AND d.dkim_verified
   LEFT JOIN inbound_routes r
     ON r.organization_id = n.organization_id AND r.name = n.name AND r.enabled AND r.local = ANY ($2::text[])
   WHERE n.name = $1
   ORDER BY array_position($2::text[], r.local) LIMIT 1`,
  { home: 'cell' },
);

const selectOrganization = sql<{ id: string }>(
  'organizations.receiving',
  'SELECT id FROM organizations WHERE id = $1',
  { home: 'control' },
);

export async function findReceiver(deps: ReceiverDeps, address: string): Promise<FoundReceiver> {
  const { local, domain } = halvesOf(address);
  const folded = foldedLocal(local);
  // Checked before the name is validated: a sandbox host may lack the dot that a mail domain needs.
  if (domain.toLowerCase() === deps.host.toLowerCase()) return atOurHost(deps, folded);
  const canonical = canonicalDomain(domain);
  if (!canonical.ok) return { kind: 'elsewhere' };
  const name = canonical.domain;
  if (name === deps.host) return atOurHost(deps, folded);
  const asked = [name, folded === null ? [] : localsFor(folded)];
  const row = await firstOfCells(deps.db, (_, cell) => askCell(deps.db, cell, asked));
  if (row === undefined) return { kind: 'elsewhere' };
  if (folded === null) return { kind: 'unknown', local: null };
  const organizationId = row.organization_id;
  const answered = decodeReplyLocal(folded, deps.keys);
  // A reply address belongs to one organization, and is unknown at another organization's name.
  if (answered !== null && answered.organizationId !== organizationId) return { kind: 'unknown', local };
  const emailId = answered?.emailId ?? null;
  const routeId = answered === null ? row.id : null;
  if (routeId === null && emailId === null) return { kind: 'unknown', local: folded };
  return { kind: 'received', receiver: { organizationId, address: `${folded}@${name}`, routeId, emailId } };
}

/**
 * While an organization moves, and until its old rows are removed, two cells have its names, and the routes in one of them are
 * outdated. Only the cell that the organization lives in counts. If that cell has not answered, or answered before the
 * organization arrived, the result is unknown, and the lookup fails.
 */
async function askCell(db: Database, cell: Cell, asked: readonly unknown[]): Promise<NameRow | undefined> {
  const row = await cell.db.maybeOne(select, asked);
  if (row === undefined) return undefined;
  await db.located();
  if (db.of(row.organization_id) !== cell.residents)
    throw new Error('The organization that receives at this name lives in another cell.');
  return row;
}

async function atOurHost({ db, keys, host }: ReceiverDeps, folded: string | null): Promise<FoundReceiver> {
  const answered = folded === null ? null : decodeReplyLocal(folded, keys);
  if (answered === null) return { kind: 'elsewhere' };
  const { organizationId, emailId } = answered;
  // Expired temporary organizations are removed with all of their rows.
  if ((await db.maybeOne(selectOrganization, [organizationId])) === undefined)
    return { kind: 'unknown', local: folded };
  return {
    kind: 'received',
    receiver: { organizationId, address: `${folded}@${host}`, routeId: null, emailId },
  };
}
