import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Role } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ROLE_CHOICES } from './roles.ts';

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useMutation({
    mutationFn: () => api.members.invite({ email, role }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['members', 'invites'] }),
  });
  if (invite.data) return <Invited email={invite.data.email} link={invite.data.link} onClose={onClose} />;
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <DialogForm does={invite} action="Invite" known={['email']} onClose={onClose}>
        <TextField
          label="Email address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={problemOf(invite.error, 'email')}
        />
        <SelectField label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {ROLE_CHOICES.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      </DialogForm>
    </Dialog>
  );
}

interface InvitedProps {
  readonly email: string;
  /** Null where it was mailed. */
  readonly link: string | null;
  readonly onClose: () => void;
}

function Invited({ email, link, onClose }: InvitedProps) {
  return (
    <Dialog title={link === null ? 'Invite sent' : 'Send this link yourself'} onClose={onClose}>
      <div className="stack">
        {link === null ? <Mailed email={email} /> : <ByHand email={email} link={link} />}
        <div className="row row-end">
          <Button kind="primary" onClick={onClose}>
            {link === null ? 'Done' : 'I have copied it'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Mailed({ email }: { readonly email: string }) {
  const mode = useMode();
  return (
    <>
      <p>
        <strong>{email}</strong> gets an email with a link. The link works once, for 7 days.
      </p>
      {mode === 'sandbox' ? (
        <p>
          This is the sandbox, so the mail stays here:{' '}
          <Link to="/inbox" search={{ to: email }}>
            find it in the sandbox inbox
          </Link>
          , which shows invites to owners only.
        </p>
      ) : null}
    </>
  );
}

function ByHand({ email, link }: { readonly email: string; readonly link: string }) {
  return (
    <div className="shown-once">
      <span>
        This installation cannot send mail yet, so send the link to {email} yourself. The link is shown only
        once and works once, for 7 days. The address counts as unconfirmed until it is confirmed by mail.
      </span>
      <CodeBlock text={link} label="Copy the link" />
    </div>
  );
}
