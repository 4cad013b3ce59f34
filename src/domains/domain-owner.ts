/** The installation's own mail goes out from the domains of the first organization, and is signed with their keys. */
import type { Sql } from '../database/sql.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { firstOrganization } from '../organizations/store.ts';

/** Whose domains an organization sends from. */
export async function domainOwnerOf(db: Sql, organizationId: string): Promise<string> {
  if (organizationId !== INSTALLATION) return organizationId;
  return (await firstOrganization(db))?.id ?? organizationId;
}
