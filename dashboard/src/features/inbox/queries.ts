import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export function inboxQuery(search: { readonly page?: number; readonly to?: string }) {
  return queryOptions({
    queryKey: ['inbox', 'list', search],
    queryFn: () => api.sandbox.list({ ...search, limit: 25 }),
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
