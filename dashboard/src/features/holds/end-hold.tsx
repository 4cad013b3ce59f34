/** Both ways to end a hold say first how much mail it is about, and how old that is. */
import type { Hold, HoldDetail } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/dialog.tsx';
import { useForm } from '../../ui/form.ts';
import { ReasonField } from '../../ui/reason-field.tsx';
import { Time } from '../../ui/time.tsx';
import { holdQuery, useHoldAction } from './queries.ts';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

export function mayEnd(hold: Pick<Hold, 'state' | 'by_operator'>, isOperator: boolean): boolean {
  return hold.state === 'in_force' && (isOperator || !hold.by_operator);
}

export function EndHold({ id }: { readonly id: string }) {
  const [ending, setEnding] = useState<'release' | 'discard' | null>(null);
  const close = () => setEnding(null);
  return (
    <div className="row">
      <Button size="small" onClick={() => setEnding('release')}>
        Release
      </Button>
      <Button size="small" kind="danger" onClick={() => setEnding('discard')}>
        Discard
      </Button>
      {ending === 'release' ? <ReleaseHold id={id} onClose={close} /> : null}
      {ending === 'discard' ? <DiscardHold id={id} onClose={close} /> : null}
    </div>
  );
}

export function ReleaseHold({ id, onClose }: Props) {
  const hold = useQuery(holdQuery(id));
  const release = useHoldAction<void>(() => api.holds.release(id), onClose);
  return (
    <ConfirmDialog
      title="Release this hold?"
      action="Send the mail"
      onClose={onClose}
      onConfirm={() => release.mutateAsync()}
    >
      {hold.data ? <WouldGo mail={hold.data.mail} /> : <p className="quiet">Counting the mail…</p>}
    </ConfirmDialog>
  );
}

function WouldGo({ mail }: { readonly mail: HoldDetail['mail'] }) {
  const goes = mail.held - mail.expired;
  return (
    <>
      <p>
        <strong>{goes === 1 ? 'One email is sent' : `${goes} emails are sent`}</strong>, at the pace that the
        receiving servers accept. <Oldest mail={mail} />
      </p>
      {mail.expired > 0 ? (
        <p>{mail.expired} more end as failed, because they expired before they were held.</p>
      ) : null}
      {mail.later > 0 ? <p>{mail.later} more are due later.</p> : null}
    </>
  );
}

export function DiscardHold({ id, onClose }: Props) {
  const hold = useQuery(holdQuery(id));
  const { form, set } = useForm({ reason: '' });
  const discard = useHoldAction<void>(() => api.holds.discard(id, { reason: form.reason }), onClose);
  const mail = hold.data?.mail;
  return (
    <Dialog title="Discard the mail of this hold?" onClose={onClose}>
      <DialogForm does={discard} action="Discard the mail" known={['reason']} onClose={onClose}>
        {mail ? (
          <p>
            <strong>{mail.held + mail.later}</strong> emails are never sent and end as failed, {mail.later} of
            them scheduled or between two attempts. This cannot be undone. <Oldest mail={mail} />
          </p>
        ) : (
          <p className="quiet">Counting the mail…</p>
        )}
        <ReasonField value={form.reason} onChange={set('reason')} error={discard.error} />
      </DialogForm>
    </Dialog>
  );
}

function Oldest({ mail }: { readonly mail: HoldDetail['mail'] }) {
  if (mail.oldest_at === null) return null;
  return (
    <>
      The oldest was accepted <Time at={mail.oldest_at} />.
    </>
  );
}
