import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { Role } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ROLES } from './roles.ts';

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useMutation({
    mutationFn: () => api.members.invite({ email, role }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['members', 'invites'] }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  if (invite.data)
    return (
      <Dialog title="Hand over this link" onClose={onClose}>
        <div className="stack">
          <div className="shown-once">
            <span>
              It is shown this once, works once, and for 7 days. Send it to {invite.data.email} yourself.
            </span>
            <CodeBlock text={invite.data.link} label="Copy the link" />
          </div>
          <div className="row row-end">
            <Button kind="primary" onClick={onClose}>
              I have copied it
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Email address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={problemOf(invite.error, 'email')}
        />
        <SelectField label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {ROLES.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
        <ErrorNote error={invite.error} known={['email']} />
        <div className="row row-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
