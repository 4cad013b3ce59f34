import { SUPPRESSION_REASONS } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { words } from '../../ui/badge.tsx';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Reason } from './queries.ts';

export function AddSuppression({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState<Reason>('manual');
  const add = useMutation({
    mutationFn: () => api.suppressions.create({ email, reason }),
    onSuccess: async (entry) => {
      await client.invalidateQueries({ queryKey: ['suppressions'] });
      say(`${entry.email} will not be mailed anymore.`);
      onClose();
    },
  });
  return (
    <Dialog title="Add an address" onClose={onClose}>
      <DialogForm does={add} action="Add address" known={['email']} onClose={onClose}>
        <TextField
          label="Address"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          problem={problemOf(add.error, 'email')}
        />
        <SelectField
          label="Reason"
          value={reason}
          onChange={(event) => setReason(event.target.value as Reason)}
        >
          {SUPPRESSION_REASONS.map((one) => (
            <option key={one} value={one}>
              {words(one)}
            </option>
          ))}
        </SelectField>
      </DialogForm>
    </Dialog>
  );
}
