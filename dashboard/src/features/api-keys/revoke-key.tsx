/** Revoking a key, and deciding what becomes of the mail that it has queued. */
import type { ApiKey, Query } from '@postrider/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';

type Mail = NonNullable<Query<'DELETE /api-keys/{id}'>['mail']>;

const CHOICES: Readonly<Record<Mail, readonly [label: string, hint: string]>> = {
  leave: ['Leave it alone', 'What is queued is sent. What is due later than now fails.'],
  hold: ['Hold it', 'Nothing of it is sent until you release or discard it on the page Holds.'],
  withdraw: ['Withdraw it', 'It is never sent, and fails. That cannot be undone.'],
};

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const [mail, setMail] = useState<Mail>('leave');
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      onClose={onClose}
      onConfirm={async () => {
        const { hold } = await api.apiKeys.revoke(apiKey.id, { mail });
        await client.invalidateQueries({ queryKey: ['api-keys'] });
        await client.invalidateQueries({ queryKey: ['holds'] });
        say(`${apiKey.name} was revoked. ${mailWords(mail, hold?.mail)}`.trim());
      }}
    >
      <div className="stack">
        <p>
          Anything that uses <code>{apiKey.prefix}…</code> is refused within a second, and the key cannot be
          brought back.
        </p>
        <SelectField
          label="The mail that it has queued and scheduled"
          hint={CHOICES[mail][1]}
          value={mail}
          onChange={(event) => setMail(event.target.value as Mail)}
        >
          {Object.entries(CHOICES).map(([key, [label]]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
    </ConfirmDialog>
  );
}

/** Nothing is said of how much there was where counting took too long. */
function mailWords(mail: Mail, figures: { held: number; later: number } | null | undefined): string {
  if (mail === 'leave' || !figures) return '';
  const count = (figures.held + figures.later).toLocaleString();
  return `Deliveries ${mail === 'hold' ? 'held' : 'withdrawn'}: ${count}.`;
}
