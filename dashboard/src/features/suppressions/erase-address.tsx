/** The right to be forgotten: for owners. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useToast } from '../../ui/toast.tsx';

export function EraseAddress({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const [email, setEmail] = useState('');
  const download = useMutation({
    mutationFn: () => api.recipients.export(email),
    onSuccess: (held) =>
      saveFile(new Blob([JSON.stringify(held, null, 2)], { type: 'application/json' }), 'recipient.json'),
  });
  const erase = useMutation({
    mutationFn: () => api.recipients.erase(email),
    onSuccess: async ({ emails, complete }) => {
      await client.invalidateQueries();
      say(
        complete
          ? `Erased from ${emails} emails.`
          : `Erased from ${emails} emails so far. Some mail is still being delivered: erase again later.`,
        complete ? 'good' : 'bad',
      );
      if (complete) onClose();
    },
  });
  const error = erase.error ?? download.error;
  return (
    <Dialog title="Erase an address" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit(erase.mutate)}>
        <p>
          This permanently removes the content of all mail to the address, and the address from every record.
          Mail that was not sent yet is withdrawn. A suppression of the address stays in effect, but the
          address can no longer be read.
        </p>
        <TextField
          label="Address"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={problemOf(error, 'email')}
        />
        <ErrorNote error={error} known={['email']} />
        <div className="row row-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={download.isPending} disabled={email === ''} onClick={() => download.mutate()}>
            Download data
          </Button>
          <Button kind="danger" type="submit" busy={erase.isPending}>
            Erase permanently
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
