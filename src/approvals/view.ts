/** How an approval reads outside. */
import type { ApprovalRow } from './store.ts';

/** `names`: what users and keys are called. */
export function approvalView(row: ApprovalRow, names: ReadonlyMap<string, string>) {
  const { from_email, from_name, addresses, ...rest } = row;
  const { to, cc, bcc, reply_to } = addresses;
  return {
    ...rest,
    api_key_name: names.get(row.api_key_id) ?? null,
    decided_by_name: row.decided_by === null ? null : (names.get(row.decided_by) ?? null),
    from: { email: from_email, name: from_name },
    ...{ to: [...to], cc: [...cc], bcc: [...bcc], reply_to },
  };
}

/** Whose names are needed to show these. */
export function actorsIn(rows: readonly ApprovalRow[]): string[] {
  return rows.flatMap((row) => [row.api_key_id, ...(row.decided_by === null ? [] : [row.decided_by])]);
}
