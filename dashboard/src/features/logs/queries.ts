import type { Query } from '@postrider/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';
import { momentsOf } from '../../ui/day-range.tsx';
import type { LogSearch } from './search.ts';

const PAGE_SIZE = 25;

type LogQuery = Query<'GET /request-logs'>;

export function logQueryOf(search: LogSearch): Omit<LogQuery, 'page'> {
  const { code, status, period: _period, page: _page, ...others } = search;
  return {
    ...others,
    ...momentsOf(search),
    ...(code ? { code: code as NonNullable<LogQuery['code']> } : {}),
    ...(status ? { status: Number(status) } : {}),
  };
}

export function logsQuery(search: LogSearch) {
  const { page } = search;
  const wanted: LogQuery = { ...logQueryOf(search), ...(page ? { page } : {}), limit: PAGE_SIZE };
  return queryOptions({
    queryKey: ['logs', search],
    queryFn: ({ signal }) => api.requestLogs.list(wanted, { signal }),
    placeholderData: keepPreviousData,
    ...keptFresh(),
  });
}

export function logEntryQuery(id: string) {
  return queryOptions({ queryKey: ['logs', id], queryFn: () => api.requestLogs.get(id), staleTime: 60_000 });
}
