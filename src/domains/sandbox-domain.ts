/** The domain from which every sandbox organization may send without DNS records. */
import type { Sql } from '../database/sql.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import { newId } from '../runtime/ids.ts';
import { insertDomain } from './store.ts';

export const SANDBOX_DOMAIN = 'sandbox.test' as DomainName;

export async function insertSandboxDomain(db: Sql, organizationId: string, createdAt: Date): Promise<void> {
  await insertDomain(db, {
    id: newId('dom'),
    organization_id: organizationId,
    domain: SANDBOX_DOMAIN,
    spf_verified: true,
    dkim_verified: true,
    verified_at: createdAt,
    verified_in: 'sandbox',
    created_at: createdAt,
  });
}
