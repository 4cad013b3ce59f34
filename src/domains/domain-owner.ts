/** The installation's own mail is sent from the domains of the first organization and signed with their keys. */
import type { Sql } from '../database/sql.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { firstOrganization } from '../organizations/store.ts';

/** The organization whose domains this organization sends from. */
export async function domainOwnerOf(db: Sql, organizationId: string): Promise<string> {
  if (organizationId !== INSTALLATION) return organizationId;
  return (await firstOrganization(db))?.id ?? organizationId;
}
