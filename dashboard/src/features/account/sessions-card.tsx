/** Where one is signed in, and signing out there. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useSignOut } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { List } from '../../ui/list.tsx';
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { browserName } from './browser-name.ts';

export function SessionsCard() {
  const client = useQueryClient();
  const say = useToast();
  const signOut = useSignOut(true);
  const sessions = useQuery({ queryKey: ['auth', 'sessions'], queryFn: () => api.auth.sessions() });
  const end = useMutation({
    mutationFn: (id: string) => api.auth.endSession(id),
    onSuccess: () => say('The session was signed out.'),
    onError: (error) => say(messageOf(error), 'bad'),
    onSettled: () => client.invalidateQueries({ queryKey: ['auth', 'sessions'] }),
  });
  return (
    <Card
      title="Sessions"
      actions={
        <Button
          size="small"
          kind="danger"
          icon="out"
          busy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          Sign out everywhere
        </Button>
      }
      flush
    >
      <List of={sessions} rows={sessions.data} empty={null} lines={2}>
        {(rows) => (
          <Table columns={['Browser', 'Last used', 'Signed in', 'IP address']} actions="Actions">
            {rows.map((session) => (
              <tr key={session.id}>
                <td title={session.user_agent ?? undefined}>
                  <span className="strong">{browserName(session.user_agent)}</span>{' '}
                  {session.current ? <Badge tone="good">this session</Badge> : null}
                </td>
                <td>
                  <Time at={session.last_seen_at} />
                </td>
                <td>
                  <Time at={session.created_at} style="short" />
                </td>
                <td className="wrap">{session.address ?? 'not known'}</td>
                <td className="end">
                  {session.current ? null : (
                    <Button
                      size="small"
                      kind="danger"
                      busy={end.isPending && end.variables === session.id}
                      onClick={() => end.mutate(session.id)}
                      aria-label={`Sign out ${browserName(session.user_agent)}`}
                    >
                      Sign out
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </List>
    </Card>
  );
}
