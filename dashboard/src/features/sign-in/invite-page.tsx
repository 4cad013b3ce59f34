/** Following an invite: as somebody new, or as somebody who is here already. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { InviteView } from '../../app/account-types.ts';
import { api, PostriderError } from '../../app/api.ts';
import { authStateQuery, meQuery } from '../../app/session.ts';
import { showOrganization } from '../../app/shown-organization.ts';
import { NewPasswordField } from '../../ui/account-fields.tsx';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';
import { Loading } from '../../ui/page.tsx';
import { Gate } from './gate.tsx';

export function InvitePage() {
  const { token } = useParams({ from: '/invite/$token' });
  const invite = useQuery({
    queryKey: ['invite', token],
    queryFn: () => api.invites.get(token),
  });
  if (invite.isPending)
    return (
      <Gate title="Your invite">
        <Loading lines={3} />
      </Gate>
    );
  if (invite.isError)
    return (
      <Gate
        title="This invite does not work"
        lead="The invite was used, withdrawn or replaced by a newer invite, or it is more than 7 days old."
      >
        <ErrorNote error={invite.error} onRetry={invite.refetch} />
        <p>Ask the person who invited you for a new link.</p>
      </Gate>
    );
  return <Accept token={token} invite={invite.data} />;
}

function Accept({ token, invite }: { readonly token: string; readonly invite: InviteView }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { form, set } = useForm({ name: '', password: '' });
  const accept = useMutation({
    mutationFn: () =>
      api.invites.accept(
        token,
        invite.has_account
          ? {}
          : { password: form.password, ...(form.name.trim() === '' ? {} : { name: form.name }) },
      ),
    onSuccess: async (me) => {
      client.clear();
      client.setQueryData(meQuery.queryKey, me);
      showOrganization(me.organization.id);
      await client.fetchQuery(authStateQuery);
      await navigate({ to: '/' });
    },
  });
  const signedOut = accept.error instanceof PostriderError && accept.error.status === 401;
  return (
    <Gate
      title={`Join ${invite.organization.name}`}
      lead={`${invite.email} is invited as ${invite.role === 'owner' ? 'an owner' : `a ${words(invite.role)} user`}.`}
    >
      <form className="stack" onSubmit={onSubmit(accept.mutate)}>
        {invite.has_account ? (
          <p>You have an account here already. Accept while you are signed in as {invite.email}.</p>
        ) : (
          <>
            <NewPasswordField
              autoFocus
              value={form.password}
              onChange={set('password')}
              problem={problemOf(accept.error, 'password')}
            />
            <TextField
              label="Name"
              autoComplete="name"
              hint="Optional."
              value={form.name}
              onChange={set('name')}
            />
          </>
        )}
        <ErrorNote error={accept.error} known={['password']} />
        {signedOut ? (
          <Link to="/sign-in" search={{ to: `/invite/${token}` }} className="button">
            Sign in
          </Link>
        ) : null}
        <Button kind="primary" type="submit" className="wide" busy={accept.isPending}>
          Accept the invite
        </Button>
      </form>
    </Gate>
  );
}
