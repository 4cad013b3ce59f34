/** What this part of the dashboard asks the API, and how often. */
import type { Query } from '@postrider/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { keptFresh, pollMs } from '../../app/freshness.ts';
import { momentsOf } from '../../ui/day-range.tsx';
import type { EmailSearch } from './search.ts';

const PAGE_SIZE = 25;

type SpecialState = NonNullable<Query<'GET /emails'>['state']>;

export function emailsQuery({ page, ...search }: EmailSearch) {
  return queryOptions({
    queryKey: ['emails', { page, ...search }],
    queryFn: ({ signal }) =>
      api.emails.list({ ...filterOf(search), ...(page ? { page } : {}), limit: PAGE_SIZE }, { signal }),
    placeholderData: keepPreviousData,
    ...keptFresh({ changedBy: 'any event' }),
  });
}

/** All that a search finds, for a file. */
export function allEmails({ page: _page, ...search }: EmailSearch) {
  return api.emails.all(filterOf(search));
}

function filterOf(search: Omit<EmailSearch, 'page'>) {
  const { state, period: _period, ...others } = search;
  return {
    ...others,
    ...momentsOf(search),
    ...(state ? { state: state as SpecialState } : {}),
    include: 'addresses' as const,
  };
}

export function emailQuery(id: string) {
  return queryOptions({
    queryKey: ['emails', id],
    queryFn: () => api.emails.get(id),
    ...keptFresh({ changedBy: 'any event' }),
  });
}

export function explainQuery(id: string, version: string | undefined) {
  return queryOptions({
    queryKey: ['emails', id, 'explain', version],
    queryFn: () => api.emails.explain(id),
    placeholderData: keepPreviousData,
    // Nothing happens to an email that waits; what it waits for changes.
    refetchInterval: (query) => (query.state.data?.status === 'queued' ? pollMs(query) : false),
  });
}

export function contentQuery(id: string) {
  return queryOptions({
    queryKey: ['emails', id, 'content'],
    queryFn: () => api.emails.content(id),
    staleTime: 60_000,
  });
}

export function attachmentQuery(id: string, number: number) {
  return queryOptions({
    queryKey: ['emails', id, 'attachments', number],
    queryFn: () => api.emails.attachment(id, number),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Does something to an email; whatever shows emails is asked for again. */
export function useEmailAction(action: () => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: () => client.invalidateQueries({ queryKey: ['emails'] }),
  });
}
