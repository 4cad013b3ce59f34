/** What is asked about received mail, and about where it is received. */
import type { Data } from '@postrider/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export type ReceivedEmail = Data<'GET /inbound/{id}'>;
export type ReceivingDomain = Data<'GET /inbound/domains'>[number];
export type InboundRoute = Data<'GET /inbound/routes'>[number];

export interface ReceivedSearch {
  readonly q?: string;
  readonly to?: string;
}

const PER_PAGE = 25;

export function receivedListQuery({ q, to }: ReceivedSearch) {
  return infiniteQueryOptions({
    queryKey: ['received', 'list', q ?? '', to ?? ''],
    queryFn: ({ pageParam }) =>
      api.inbound.list({
        limit: PER_PAGE,
        ...(q === undefined || q.length < 2 ? {} : { search: q }),
        ...(to === undefined ? {} : { to }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination.next_cursor,
    ...keptFresh({ changedBy: ['received'] }),
  });
}

export function receivedQuery(id: string) {
  return queryOptions({ queryKey: ['received', 'one', id], queryFn: () => api.inbound.get(id) });
}

export const receivingDomainsQuery = queryOptions({
  queryKey: ['received', 'domains'],
  queryFn: () => api.inbound.domains.list(),
});

export const inboundRoutesQuery = queryOptions({
  queryKey: ['received', 'routes'],
  queryFn: () => api.inbound.routes.list(),
});
