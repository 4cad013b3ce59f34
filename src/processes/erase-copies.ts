import { eraseFromInbound } from '../inbound/store.ts';
import type { Sql } from '../kit/database/sql.ts';
import { eraseFromSandbox } from '../sandbox/store.ts';

/** What roles keep about emails beside the resources: resources know of neither. */
export async function eraseCopies(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await eraseFromSandbox(tx, organizationId, emailIds);
  await eraseFromInbound(tx, organizationId, emailIds);
}
