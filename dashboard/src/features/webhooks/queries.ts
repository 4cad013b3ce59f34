import type { WebhookDelivery } from '@postrider/sdk';
import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => api.webhooks.list(),
  ...keptFresh({ changedBy: 'any event' }),
});

export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => api.webhooks.get(id),
    ...keptFresh({ changedBy: 'any event' }),
  });
}

export function webhookStatsQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'stats'],
    queryFn: () => api.webhooks.stats(id),
    ...keptFresh({ changedBy: 'any event' }),
  });
}

/** Asked for again when there is more of it. */
export function deliveryQuery(webhookId: string, { id, attempts, status }: WebhookDelivery) {
  return queryOptions({
    queryKey: ['webhooks', webhookId, 'deliveries', id, attempts.length, status],
    queryFn: () => api.webhooks.delivery(webhookId, id),
    placeholderData: keepPreviousData,
  });
}

export type DeliveryState = WebhookDelivery['status'];

export function useDeliveries(id: string, status: DeliveryState | null) {
  return useInfiniteQuery({
    queryKey: ['webhooks', id, 'deliveries', status],
    queryFn: ({ pageParam }) =>
      api.webhooks.deliveries(id, {
        limit: 20,
        ...(status === null ? {} : { status }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination.next_cursor,
    ...keptFresh({ changedBy: 'any event' }),
  });
}
