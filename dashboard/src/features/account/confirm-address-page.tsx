/** Confirming one's address, by a link that was mailed to it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { meQuery, useMe } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, PageHead } from '../../ui/page.tsx';

export function ConfirmAddressPage() {
  const { token } = useSearch({ from: '/app/confirm-address' });
  const { user } = useMe();
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => api.auth.confirmAddress(token ?? ''),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  });
  return (
    <>
      <PageHead title="Confirm your address" />
      <Card>
        {user.email_verified ? (
          <div className="stack">
            <p>
              <strong>{user.email}</strong> is confirmed.
            </p>
            <div>
              <Link to="/" className="button">
                Go to the overview
              </Link>
            </div>
          </div>
        ) : (
          <div className="stack">
            <p>
              You are signed in as <strong>{user.email}</strong>. Is this address yours?
            </p>
            <ErrorNote error={confirm.error} />
            <div>
              <Button kind="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
                Yes, confirm
              </Button>
            </div>
          </div>
        )}
      </Card>
    </>
  );
}
