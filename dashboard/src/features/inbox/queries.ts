import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export interface InboxSearch {
  readonly page?: number;
  readonly to?: string;
  readonly q?: string;
  readonly show?: 'unread';
}

export function inboxQuery({ show, ...search }: InboxSearch) {
  return queryOptions({
    queryKey: ['inbox', 'list', { show, ...search }],
    queryFn: () => api.sandbox.list({ ...search, ...(show === 'unread' ? { unread: true } : {}), limit: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: 2_000,
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
