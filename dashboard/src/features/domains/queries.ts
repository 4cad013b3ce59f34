import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: () => api.domains.list(),
  ...keptFresh({ leastMs: 5_000 }),
});

export function domainQuery(id: string) {
  return queryOptions({
    queryKey: ['domains', id],
    queryFn: () => api.domains.get(id),
    // The server looks by itself; a page that is open sees it.
    ...keptFresh({ leastMs: 5_000, mostMs: 15_000 }),
  });
}

/** All records at the domain and below it. */
export function zoneFileQuery(domain: string) {
  return queryOptions({
    queryKey: ['domains', 'zone-file', domain],
    queryFn: () => api.domains.export({ zone: domain }),
  });
}

/** Reports come once a day. */
const REPORTS_STALE_MS = 60_000;

export function dmarcReportsQuery(id: string, days: number) {
  return queryOptions({
    queryKey: ['domains', id, 'reports', 'dmarc', days],
    queryFn: () => api.domains.dmarcReports(id, { days }),
    staleTime: REPORTS_STALE_MS,
  });
}

export function tlsReportsQuery(id: string, days: number) {
  return queryOptions({
    queryKey: ['domains', id, 'reports', 'tls', days],
    queryFn: () => api.domains.tlsReports(id, { days }),
    staleTime: REPORTS_STALE_MS,
  });
}
