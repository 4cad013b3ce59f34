/** A new key in place of one that programs still have: they get time to change over. */
import type { ApiKey } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Time } from '../../ui/time.tsx';
import { OVERLAPS, worksUntil } from './overlap.ts';
import { ShownOnce } from './shown-once.tsx';

export function RotateKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { form, set } = useForm({ works: '24', until: '' });
  const until = worksUntil(form.works, form.until, Date.now());
  const rotate = useMutation({
    mutationFn: () => api.apiKeys.rotate(apiKey.id, until === undefined ? {} : { old_works_until: until }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  if (rotate.data)
    return (
      <ShownOnce created={rotate.data} onClose={onClose}>
        <p>
          <code>{apiKey.prefix}…</code> works until{' '}
          <Time at={rotate.data.replaces.expires_at} style="exact" />. Give your programs the new key before
          then.
        </p>
      </ShownOnce>
    );
  return (
    <Dialog title={`Rotate ${apiKey.name}`} onClose={onClose}>
      <DialogForm
        does={rotate}
        action="Create the new key"
        known={['old_works_until']}
        disabled={until === undefined}
        onClose={onClose}
      >
        <p>
          A new key with the same name and rights replaces <code>{apiKey.prefix}…</code>. Both keys work for a
          while, so that you can change your programs without an interruption.
        </p>
        <SelectField label="The old key works" value={form.works} onChange={set('works')}>
          {OVERLAPS.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
        {form.works === 'own' ? (
          <TextField
            label="Until"
            type="datetime-local"
            required
            value={form.until}
            onChange={set('until')}
            hint="In your time zone."
            problem={problemOf(rotate.error, 'old_works_until')}
          />
        ) : null}
      </DialogForm>
    </Dialog>
  );
}
