import type { SUPPRESSION_REASONS } from '@postrider/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
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
    meta: { changedBy: ['bounced', 'complained', 'unsubscribed'] },
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

/** The entries that stop an email now, for all its recipients in one request. */
export function emailSuppressionsQuery(emailId: string) {
  return queryOptions({
    queryKey: ['suppressions', 'of-email', emailId],
    queryFn: () => api.emails.suppressions(emailId),
  });
}

export function useAddSuppression(address: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.suppressions.create({ email: address, reason: 'manual' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['suppressions'] }),
  });
}

/** Whether the text is an address, which is searched for exactly, so that an erased one is found, too. */
export function isWhole(text: string | undefined): text is string {
  return text !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
