/** Who belongs to the organization, and inviting somebody by link. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member, Role } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { useOpenDialog } from '../../app/open-dialog.ts';
import { useMe } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { List } from '../../ui/list.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { Invites } from './invites.tsx';
import { RemoveMember } from './remove-member.tsx';
import { ROLE_CHOICES } from './roles.ts';

export function MembersPage() {
  const members = useQuery({ queryKey: ['members'], queryFn: () => api.members.list() });
  const [inviting, setInviting] = useOpenDialog('invite');
  const [removing, setRemoving] = useState<Member | null>(null);
  return (
    <>
      <PageHead
        title="Members"
        lead="Owners can do everything. Members can do everything except manage members. Read-only users can see everything else, but change nothing."
        actions={
          <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
            Invite a member
          </Button>
        }
      />
      <div className="stack">
        <Card flush>
          <List of={members} rows={members.data} csv="members" empty={null}>
            {(rows) => <MemberTable members={rows} onRemove={setRemoving} />}
          </List>
        </Card>
        <Invites />
      </div>
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      {removing ? <RemoveMember member={removing} onClose={() => setRemoving(null)} /> : null}
    </>
  );
}

/** Only the operator disables and enables users: a user may belong to several organizations. */
function HowToEnable({ email }: { readonly email: string }) {
  return (
    <div className="quiet small">
      Cannot sign in. The operator enables the user with <code>npx postrider user enable {email}</code>.
    </div>
  );
}

interface TableProps {
  readonly members: readonly Member[];
  readonly onRemove: (member: Member) => void;
}

function MemberTable({ members, onRemove }: TableProps) {
  const me = useMe();
  const client = useQueryClient();
  const say = useToast();
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => api.members.update(id, { role }),
    onError: (error) => say(messageOf(error), 'bad'),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['members'] }),
        client.invalidateQueries({ queryKey: ['auth'] }),
      ]),
  });
  return (
    <Table columns={['User', 'Role', 'Two-factor', 'Last seen']} actions="Actions">
      {members.map((member) => (
        <tr key={member.id}>
          <td className="wrap">
            <span className="strong">{member.name ?? member.email}</span>
            {member.id === me.user.id ? <span className="quiet small"> (you)</span> : null}
            {member.email_verified ? null : <Badge tone="warn">address unconfirmed</Badge>}
            {member.disabled ? <Badge tone="bad">disabled</Badge> : null}
            {member.name ? <div className="quiet small">{member.email}</div> : null}
            {member.disabled ? <HowToEnable email={member.email} /> : null}
          </td>
          <td>
            <select
              className="input"
              aria-label={`Role of ${member.email}`}
              value={member.role}
              onChange={(event) => change.mutate({ id: member.id, role: event.target.value as Role })}
            >
              {ROLE_CHOICES.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </td>
          <td>{member.totp_enabled ? <Badge tone="good">on</Badge> : <Badge>off</Badge>}</td>
          <td className="quiet">
            <Time at={member.last_seen_at} none="not yet" />
          </td>
          <td className="end">
            <Button
              size="small"
              kind="danger"
              onClick={() => onRemove(member)}
              aria-label={`Remove ${member.email}`}
            >
              Remove
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
