/** What this part of the dashboard asks the API, and how often. */
import type { Data, Query } from '@postrider/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export type Deliverability = Data<'GET /stats/deliverability'>;
export type Group = Deliverability['groups'][number];
export type Dimension = NonNullable<Query<'GET /stats/deliverability'>['by']>;
export type FeedbackLoop = Data<'GET /feedback-loops'>[number];
export type Worker = Data<'GET /stats/workers'>[number];

export function deliverabilityQuery(query: Required<Query<'GET /stats/deliverability'>>) {
  return queryOptions({
    queryKey: ['stats', 'deliverability', query],
    queryFn: () => api.stats.deliverability(query),
    placeholderData: keepPreviousData,
    ...keptFresh({ leastMs: 10_000 }),
  });
}

/** Often: that nobody delivers should be seen before anybody asks. */
export const workersQuery = queryOptions({
  queryKey: ['stats', 'workers'],
  queryFn: () => api.stats.workers(),
  ...keptFresh({ mostMs: 15_000 }),
});

export const feedbackLoopsQuery = queryOptions({
  queryKey: ['feedback-loops'],
  queryFn: () => api.feedbackLoops.list(),
});
