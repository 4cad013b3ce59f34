/** Another tab switched the session: this tab keeps what it shows, does nothing, and lets the person choose. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import type { Me } from './account-types.ts';
import { api } from './api.ts';
import { meQuery, useMe, useShowOrganization } from './session.ts';
import { shownOrganization } from './shown-organization.ts';

export function OtherOrganization() {
  const me = useMe();
  const shown = shownOrganization();
  return shown === undefined || shown === me.organization.id ? null : <Choice me={me} shown={shown} />;
}

function Choice({ me, shown }: { readonly me: Me; readonly shown: string }) {
  const show = useShowOrganization();
  const back = useSwitchBack();
  const before = me.organizations.find(({ id }) => id === shown);
  const follow = () => void show(me);
  return (
    <Dialog title="You switched to another organization" onClose={follow}>
      <div className="stack">
        <p>
          Another tab switched to {me.organization.name}. This tab still shows{' '}
          {before?.name ?? 'an organization that you are no longer a member of'}, so nothing can be changed
          here until you choose.
        </p>
        <ErrorNote error={back.error} />
        <div className="row row-end">
          {before === undefined ? null : (
            <Button busy={back.isPending} onClick={() => back.mutate(shown)}>
              Go back to {before.name}
            </Button>
          )}
          <Button kind="primary" onClick={follow}>
            Show {me.organization.name}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The page stays as it is, with what was typed into it. */
function useSwitchBack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.auth.switchOrganization(id),
    onSuccess: async (me) => {
      client.setQueryData(meQuery.queryKey, me);
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth' });
    },
  });
}
