import type { SUPPRESSION_REASONS } from '@postrider/sdk';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export type Reason = (typeof SUPPRESSION_REASONS)[number];

export interface SuppressionSearch {
  readonly page?: number;
  readonly email?: string;
  readonly search?: string;
  readonly reason?: string;
}

export function suppressionsQuery({ reason, ...search }: SuppressionSearch) {
  return queryOptions({
    queryKey: ['suppressions', 'list', { reason, ...search }],
    queryFn: ({ signal }) =>
      api.suppressions.list(
        { ...search, ...(reason ? { reason: reason as Reason } : {}), limit: 25 },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['suppressions', 'import', id],
    queryFn: () => api.suppressions.getImport(id),
    refetchInterval: ({ state }) =>
      state.data?.status === 'done' || state.data?.status === 'failed' ? false : 400,
  });
}

/** Whether one address is on the list: undefined while that is not known. */
export function useSuppression(address: string) {
  const client = useQueryClient();
  const found = useQuery(suppressionsQuery({ email: address }));
  const refresh = () => client.invalidateQueries({ queryKey: ['suppressions'] });
  const add = useMutation({
    mutationFn: () => api.suppressions.create({ email: address, reason: 'manual' }),
    onSuccess: refresh,
  });
  return { entry: found.data ? (found.data.data[0] ?? null) : undefined, add };
}

/** Whether the text is an address, which is searched for exactly, so that an erased one is found, too. */
export function isWhole(text: string | undefined): text is string {
  return text !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
