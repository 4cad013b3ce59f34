/** The signed-in user and the user's rights. The server enforces the rights; the dashboard only hides what would be refused. */
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Me } from './account-types.ts';
import { api } from './api.ts';
import { forgetAllDrafts } from './kept-drafts.ts';
import { forgetPlaces } from './places.ts';
import { showOrganization } from './shown-organization.ts';

export const authStateQuery = queryOptions({
  queryKey: ['auth', 'state'],
  queryFn: () => api.auth.state(),
  staleTime: 60_000,
});

export const meQuery = queryOptions({
  queryKey: ['auth', 'me'],
  queryFn: () => api.auth.me(),
  staleTime: 60_000,
});

export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

export function useMode(): 'sandbox' | 'live' {
  return useSuspenseQuery(authStateQuery).data.mode;
}

export function useCan(): { readonly change: boolean; readonly own: boolean } {
  const { role } = useMe();
  return { change: role !== 'read_only', own: role === 'owner' };
}

export function useSignOut(everywhere = false) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => (everywhere ? api.auth.signOutEverywhere() : api.auth.signOut()),
    onSettled: async () => {
      client.clear();
      showOrganization(undefined);
      forgetPlaces();
      forgetAllDrafts();
      await navigate({ to: '/sign-in' });
    },
  });
}

export function useSwitchOrganization() {
  const showAll = useShowOrganization();
  return useMutation({
    mutationFn: (id: string) => api.auth.switchOrganization(id),
    onSuccess: showAll,
  });
}

/** All data on the screen belongs to one organization and is loaded again. */
export function useShowOrganization() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (me: Me) => {
    showOrganization(me.organization.id);
    client.setQueryData(meQuery.queryKey, me);
    forgetPlaces();
    await navigate({ to: '/' });
    await client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth' });
  };
}
