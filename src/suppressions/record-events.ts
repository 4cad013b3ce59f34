/** Records webhook events about changes of the list, in the transaction of the change. */

import type { Sql } from '../database/sql.ts';
import { appendSuppressionEvents, type SuppressionEventType } from '../events/suppression-events.ts';
import { publicId, type SuppressionRow } from './suppression.ts';

export type SuppressionEventRow = Omit<SuppressionRow, 'cause' | 'created_at'> & {
  readonly organization_id: string;
};

export function recordSuppressionEvents(
  tx: Sql,
  type: SuppressionEventType,
  rows: readonly SuppressionEventRow[],
): Promise<void> {
  return appendSuppressionEvents(
    tx,
    type,
    rows.map(({ organization_id, id, email, reason, source, email_id, unsubscribe_group }) => ({
      organizationId: organization_id,
      data: { suppression_id: publicId(id), email, reason, source, email_id, unsubscribe_group },
    })),
  );
}
