import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export interface InboxSearch {
  readonly page?: number;
  readonly to?: string;
  readonly q?: string;
  readonly show?: 'unread';
}

/** As the API has it. */
export function filterOf({ to, q, show }: InboxSearch) {
  return { ...(to ? { to } : {}), ...(q ? { q } : {}), ...(show === 'unread' ? { unread: true } : {}) };
}

export function inboxQuery(search: InboxSearch) {
  const { page } = search;
  return queryOptions({
    queryKey: ['inbox', 'list', search],
    queryFn: () => api.sandbox.list({ ...(page ? { page } : {}), ...filterOf(search), limit: 25 }),
    placeholderData: keepPreviousData,
    // Searching reads the whole inbox.
    ...keptFresh(search.q === undefined ? { changedBy: 'any event' } : { leastMs: 10_000 }),
  });
}

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['inbox', id],
    queryFn: () => api.sandbox.get(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function rawQuery(id: string) {
  return queryOptions({
    queryKey: ['inbox', id, 'raw'],
    queryFn: async () => String(await api.sandbox.raw(id)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function checksQuery(id: string) {
  return queryOptions({
    queryKey: ['inbox', id, 'checks'],
    queryFn: () => api.sandbox.checks(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
