/** Retry, send again, cancel, reschedule: each where the state of the email allows it. */
import type { Email } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan, useMode } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/dialog.tsx';
import { messageOf, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useEmailAction } from './queries.ts';
import { isUndecided, Resend } from './resend.tsx';

export function EmailActions({ email }: { readonly email: Email }) {
  const can = useCan();
  const sandbox = useMode() === 'sandbox';
  const say = useToast();
  const [open, setOpen] = useState<'cancel' | 'reschedule' | 'resend' | null>(null);
  const retry = useEmailAction(() => api.emails.retry(email.id));
  const waits =
    email.status === 'queued' && email.scheduled_at !== null && new Date(email.scheduled_at) > new Date();
  const canRetry = email.recipients.some(({ status }) => status === 'deferred' || status === 'failed');
  const tryAgain = () =>
    retry.mutate(undefined, {
      onSuccess: () => say('The email is being retried.'),
      onError: (error) => say(messageOf(error), 'bad'),
    });
  const first = email.recipients.find(({ status }) => status === 'delivered' || status === 'opened')?.email;
  return (
    <>
      {sandbox && first ? (
        <Link to="/inbox" search={{ to: first }} className="button">
          Show in the inbox
        </Link>
      ) : null}
      {email.status === 'queued' ? null : (
        <a className="button" href={`/api/v1/emails/${email.id}/proof`} download={`proof-${email.id}.json`}>
          Download proof
        </a>
      )}
      {can.change && canRetry ? (
        <Button icon="refresh" busy={retry.isPending} onClick={tryAgain}>
          Retry now
        </Button>
      ) : null}
      {can.change && !email.recipients.every(isUndecided) ? (
        <Button onClick={() => setOpen('resend')}>Send again</Button>
      ) : null}
      {can.change && waits ? (
        <>
          <Button onClick={() => setOpen('reschedule')}>Reschedule</Button>
          <Button kind="danger" onClick={() => setOpen('cancel')}>
            Cancel email
          </Button>
        </>
      ) : null}
      {open === 'reschedule' ? <Reschedule email={email} onClose={() => setOpen(null)} /> : null}
      {open === 'resend' ? <Resend email={email} onClose={() => setOpen(null)} /> : null}
      {open === 'cancel' ? <Cancel email={email} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function Cancel({ email, onClose }: { readonly email: Email; readonly onClose: () => void }) {
  const cancel = useEmailAction(() => api.emails.cancel(email.id));
  return (
    <ConfirmDialog
      title="Cancel this email?"
      action="Cancel this email"
      onClose={onClose}
      onConfirm={() => cancel.mutateAsync()}
    >
      The email will not be sent, and this cannot be undone. To send the email later, compose it again.
    </ConfirmDialog>
  );
}

function Reschedule({ email, onClose }: { readonly email: Email; readonly onClose: () => void }) {
  const [when, setWhen] = useState(() => forInput(email.scheduled_at));
  const say = useToast();
  const move = useEmailAction(() => api.emails.reschedule(email.id, new Date(when).toISOString()));
  const moved = () => {
    say('Rescheduled.');
    onClose();
  };
  const does = { ...move, mutate: () => move.mutate(undefined, { onSuccess: moved }) };
  return (
    <Dialog title="Reschedule this email" onClose={onClose}>
      <DialogForm does={does} action="Save" known={['scheduled_at']} onClose={onClose}>
        <TextField
          label="Send at"
          type="datetime-local"
          required
          hint={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
          value={when}
          onChange={(event) => setWhen(event.target.value)}
          problem={problemOf(move.error, 'scheduled_at')}
        />
      </DialogForm>
    </Dialog>
  );
}

function forInput(at: string | null): string {
  const date = at ? new Date(at) : new Date();
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
