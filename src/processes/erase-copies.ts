import type { Sql } from '../database/sql.ts';
import { eraseFromInbound } from '../inbound/store.ts';
import { eraseFromSandbox } from '../sandbox/store.ts';

/** Erases the copies of emails that the sandbox and the inbound role keep: the slices know of neither. */
export async function eraseCopies(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await eraseFromSandbox(tx, organizationId, emailIds);
  await eraseFromInbound(tx, organizationId, emailIds);
}
