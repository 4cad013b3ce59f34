/** What a domain has of its own about tracking, as the API shows it. */
import type { DomainTrackingRow } from './store.ts';

export function presentTracking(row: DomainTrackingRow | undefined) {
  return {
    track_opens: row?.track_opens ?? null,
    track_clicks: row?.track_clicks ?? null,
    host: row === undefined || row.host === null ? null : presentHost(row, row.host),
  };
}

function presentHost({ host_verified, host_check, host_checked_at }: DomainTrackingRow, name: string) {
  return {
    name,
    in_use: host_verified,
    status: host_check?.status ?? 'pending',
    type: 'CNAME',
    expected: host_check?.expected ?? '',
    found: [...(host_check?.found ?? [])],
    message: host_check?.message ?? 'Not checked yet.',
    checked_at: host_checked_at,
  };
}
