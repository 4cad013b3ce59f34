/** What this part of the dashboard asks the API. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';

export type ApprovalsState = 'waiting' | 'decided';

export function approvalsQuery(page: number, state: ApprovalsState) {
  return queryOptions({
    queryKey: ['approvals', 'list', { page, state }],
    queryFn: () => api.approvals.list({ page, state, limit: 25 }),
    placeholderData: keepPreviousData,
    ...keptFresh({ changedBy: 'any event' }),
  });
}

/** For the menu. */
export const waitingCountQuery = queryOptions({
  queryKey: ['approvals', 'count'],
  queryFn: async () => (await api.approvals.list({ limit: 1 })).pagination.total_count,
  ...keptFresh({ leastMs: 30_000 }),
});

export function approvalQuery(id: string) {
  return queryOptions({
    queryKey: ['approvals', id],
    queryFn: () => api.approvals.get(id),
    ...keptFresh({ changedBy: 'any event' }),
  });
}

/** What was handed in does not change. */
export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['approvals', id, 'message'],
    queryFn: () => api.approvals.message(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whatever tells of mail that waits is asked for again, also where somebody else was faster. */
export function useDecision<Given>(decide: (given: Given) => Promise<unknown>, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: onDone,
    onSettled: () =>
      Promise.all(
        ['approvals', 'emails', 'stats'].map((first) => client.invalidateQueries({ queryKey: [first] })),
      ),
  });
}
