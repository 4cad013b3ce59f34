/** From a fresh session to the page that was asked for. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Me } from '../../app/account-types.ts';
import { authStateQuery, meQuery } from '../../app/session.ts';
import { showOrganization } from '../../app/shown-organization.ts';

/** Nobody may send a signed-in person to another site with a link to us. */
export function inside(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') ? to : '/';
}

export function useEnter() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { to } = useSearch({ from: '/sign-in' });
  return async (me: Me) => {
    client.clear();
    client.setQueryData(meQuery.queryKey, me);
    showOrganization(me.organization.id);
    await client.fetchQuery(authStateQuery);
    await navigate({ to: inside(to), replace: true });
  };
}
