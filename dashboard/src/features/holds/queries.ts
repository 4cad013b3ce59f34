/** What this part of the dashboard asks the API. */
import type { Hold } from '@postrider/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { pollMs } from '../../app/freshness.ts';

export type HoldsView = 'organization' | 'installation';

const isMoving = ({ state }: Hold) => state === 'releasing' || state === 'discarding';

export function holdsQuery(page: number, view: HoldsView) {
  return queryOptions({
    queryKey: ['holds', 'list', { page, view }],
    queryFn: () => api.holds.list({ page, view, limit: 25 }),
    placeholderData: keepPreviousData,
    meta: { changedBy: ['held'] },
    refetchInterval: (query) => (query.state.data?.data.some(isMoving) ? 1_000 : pollMs(query)),
  });
}

/** With how much mail it holds. */
export function holdQuery(id: string) {
  return queryOptions({
    queryKey: ['holds', id],
    queryFn: () => api.holds.get(id),
    meta: { changedBy: 'any event' },
    refetchInterval: (query) => (query.state.data ? pollMs(query) : false),
  });
}

/** Whatever tells of held mail is asked for again. */
export function useHoldAction<Given>(action: (given: Given) => Promise<unknown>, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: async () => {
      await Promise.all(
        ['holds', 'stats', 'emails'].map((first) => client.invalidateQueries({ queryKey: [first] })),
      );
      onDone();
    },
  });
}
