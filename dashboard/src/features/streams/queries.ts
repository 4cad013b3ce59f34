/** What is asked about streams, here and where mail is filtered by them. */
import type { Data } from '@postrider/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export type Stream = Data<'GET /streams'>[number];

export const streamsQuery = queryOptions({
  queryKey: ['streams'],
  queryFn: () => api.streams.list(),
  staleTime: 30_000,
});

/** What was sent in each, and what became of it. */
export const streamNumbersQuery = queryOptions({
  queryKey: ['stats', 'streams'],
  queryFn: () => api.stats.deliverability({ by: 'stream', range: '30d' }),
  ...keptFresh({ leastMs: 30_000 }),
});

/** The names of all streams; empty until they are known. */
export function useStreamNames(): readonly string[] {
  const streams = useQuery(streamsQuery);
  return streams.data?.map(({ name }) => name) ?? [];
}
