/** A domain's tracking settings as the API shows them. */
import { choiceOf, type DomainTrackingRow } from './store.ts';

export function presentTracking(row: DomainTrackingRow | undefined, isVerified: boolean) {
  return {
    ...choiceOf(row),
    host: row === undefined || row.host === null ? null : presentHost(row, row.host, isVerified),
  };
}

function presentHost(row: DomainTrackingRow, name: string, isVerified: boolean) {
  const { host_points, host_answers, host_check, host_checked_at } = row;
  return {
    name,
    in_use: host_points && host_answers && isVerified,
    status: host_check?.status ?? 'pending',
    type: 'CNAME',
    expected: host_check?.expected ?? '',
    found: [...(host_check?.found ?? [])],
    message: host_check?.message ?? 'Not checked yet.',
    checked_at: host_checked_at,
  };
}
