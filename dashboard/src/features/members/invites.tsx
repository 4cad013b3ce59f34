import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, messageOf } from '../../ui/error-note.tsx';
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Invites that nobody has followed yet. */
export function Invites() {
  const client = useQueryClient();
  const say = useToast();
  const invites = useQuery({ queryKey: ['members', 'invites'], queryFn: () => api.members.invites() });
  const withdraw = useMutation({
    mutationFn: (id: string) => api.members.withdrawInvite(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['members', 'invites'] }),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  if (invites.error) return <ErrorNote error={invites.error} onRetry={invites.refetch} />;
  if (!invites.data || invites.data.length === 0) return null;
  return (
    <Card title="Open invites" flush>
      <Table columns={['Address', 'Role', 'Expires']} actions="Actions">
        {invites.data.map((invite) => (
          <tr key={invite.id}>
            <td className="strong wrap">{invite.email}</td>
            <td>{words(invite.role)}</td>
            <td className="quiet">
              <Time at={invite.expires_at} style="exact" />
            </td>
            <td className="end">
              <Button
                size="small"
                kind="danger"
                busy={withdraw.isPending}
                onClick={() => withdraw.mutate(invite.id)}
                aria-label={`Withdraw the invite of ${invite.email}`}
              >
                Withdraw
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
