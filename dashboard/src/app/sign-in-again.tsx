/** The session ended while somebody worked: they sign in here, and what they were doing goes on. */
import { useQueryClient } from '@tanstack/react-query';
import { SignInForm } from '../features/sign-in/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Me } from './account-types.ts';
import { api } from './api.ts';
import { meQuery, useMe } from './session.ts';
import { settleSignIn, useSessionEnded } from './session-end.ts';
import { shownOrganization } from './shown-organization.ts';

export function SignInAgain() {
  return useSessionEnded() ? <SignInDialog /> : null;
}

function SignInDialog() {
  const { user } = useMe();
  const client = useQueryClient();
  const goOn = async (signedIn: Me) => {
    client.setQueryData(meQuery.queryKey, await backWhereItWas(signedIn));
    settleSignIn(true);
  };
  return (
    <Dialog title="Your session has ended" onClose={() => settleSignIn(false)}>
      <SignInForm email={user.email} onSignedIn={goOn}>
        <p className="small quiet">Sign in again to go on. The page keeps your input.</p>
      </SignInForm>
    </Dialog>
  );
}

/** A new session begins in the organization that was used last, which another tab may have chosen. */
async function backWhereItWas(me: Me): Promise<Me> {
  const shown = shownOrganization();
  const isMember = me.organizations.some(({ id }) => id === shown);
  if (shown === undefined || shown === me.organization.id || !isMember) return me;
  return api.auth.switchOrganization(shown);
}
