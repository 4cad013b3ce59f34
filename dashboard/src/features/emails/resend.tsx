/** Sends an email again as a new one, to those of its recipients who are chosen. */
import type { Email } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { words } from '../../ui/badge.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { Check } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { emailSuppressionsQuery } from '../suppressions/queries.ts';

interface Props {
  readonly email: Email;
  readonly onClose: () => void;
}

export function Resend({ email, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const say = useToast();
  const suppressed = useQuery(emailSuppressionsQuery(email.id));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const recipients = email.recipients.map((one) => {
    const entry = suppressed.data?.find(({ recipient }) => recipient === one.email)?.suppression;
    const why = entry ? `suppressed: ${words(entry.reason)}` : isUndecided(one) ? 'not decided yet' : null;
    return { ...one, why, isChosen: why === null && !left.has(one.email) };
  });
  const chosen = recipients.filter(({ isChosen }) => isChosen).map(({ email: address }) => address);
  const resend = useMutation({
    mutationFn: () => api.emails.resend(email.id, { recipients: chosen }),
    onSuccess: async ({ message_id: id }) => {
      await client.invalidateQueries({ queryKey: ['emails'] });
      say('The email was sent again. This is the new email.');
      onClose();
      await navigate({ to: '/emails/$id', params: { id } });
    },
  });
  const toggle = (address: string) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(address)) next.add(address);
      return next;
    });
  return (
    <Dialog title="Send this email again?" onClose={onClose}>
      <DialogForm
        does={{ ...resend, mutate: () => resend.mutate() }}
        action={chosen.length === 1 ? 'Send again' : `Send again to ${chosen.length} recipients`}
        known={[]}
        disabled={chosen.length === 0 || suppressed.isPending}
        onClose={onClose}
      >
        <p>A new email with the same content and options is sent now. Both emails refer to each other.</p>
        <fieldset className="stack-small recipients-choice">
          <legend>Recipients</legend>
          {recipients.map(({ kind, email: address, status, why, isChosen }) => (
            <Check
              key={`${kind} ${address}`}
              label={kind === 'to' ? address : `${kind}: ${address}`}
              hint={why ?? words(status)}
              checked={isChosen}
              disabled={why !== null}
              onChange={() => toggle(address)}
            />
          ))}
        </fieldset>
      </DialogForm>
    </Dialog>
  );
}

/** Whether the delivery may still succeed: the email would arrive twice. */
export function isUndecided({ status }: Email['recipients'][number]): boolean {
  return status === 'queued' || status === 'deferred';
}
