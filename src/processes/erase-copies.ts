import type { Sql } from '../database/sql.ts';
import { eraseFromInbound } from '../inbound/store.ts';
import { eraseFromSandbox } from '../sandbox/store.ts';

/**
 * Erases the copies of emails in the sandbox and the inbound role, because slices do not depend on each
 * other.
 */
export async function eraseCopies(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await eraseFromSandbox(tx, organizationId, emailIds);
  await eraseFromInbound(tx, organizationId, emailIds);
}
