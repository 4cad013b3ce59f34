/** What this part of the dashboard asks the API. */
import type { Body } from '@postrider/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export type Incident = Body<'POST /undos/preview'>;

export function undosQuery(page: number) {
  return queryOptions({
    queryKey: ['undos', { page }],
    queryFn: () => api.undos.list({ page, limit: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((undo) => undo.state === 'running') ? 1_000 : false,
  });
}
