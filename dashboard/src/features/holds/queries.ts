/** What this part of the dashboard asks the API. */
import type { Hold } from '@postrider/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export type HoldsView = 'organization' | 'installation';

const isMoving = ({ state }: Hold) => state === 'releasing' || state === 'discarding';

export function holdsQuery(page: number, view: HoldsView) {
  return queryOptions({
    queryKey: ['holds', 'list', { page, view }],
    queryFn: () => api.holds.list({ page, view, limit: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? 1_000 : 10_000),
  });
}

/** With how much mail it holds. */
export function holdQuery(id: string) {
  return queryOptions({
    queryKey: ['holds', id],
    queryFn: () => api.holds.get(id),
    refetchInterval: ({ state }) => (state.data ? 5_000 : false),
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
