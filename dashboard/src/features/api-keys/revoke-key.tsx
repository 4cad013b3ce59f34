/** Revoking a key, and deciding what becomes of the mail that it has queued, also when the key was revoked before. */
import type { ApiKey, Data, Query } from '@postrider/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';

type Mail = NonNullable<Query<'DELETE /api-keys/{id}'>['mail']>;

const CHOICES: Readonly<Record<Mail, readonly [label: string, hint: string]>> = {
  leave: ['Keep it', 'Mail that is due now is sent. Mail that is due later fails.'],
  hold: [
    'Hold it',
    'No mail of this key is sent until you release or discard the hold under Emails → Holds.',
  ],
  withdraw: ['Withdraw it', 'The mail is never sent and ends as failed. This cannot be undone.'],
};

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  const isRevoked = apiKey.revoked_at !== null;
  const [mail, setMail] = useState<Mail>(isRevoked ? 'hold' : 'leave');
  const choices = Object.entries(CHOICES).filter(([key]) => !isRevoked || key !== 'leave');
  return (
    <ConfirmDialog
      title={isRevoked ? `Mail of ${apiKey.name}` : `Revoke ${apiKey.name}?`}
      action={isRevoked ? CHOICES[mail][0] : 'Revoke key'}
      onClose={onClose}
      onConfirm={async () => {
        const { hold } = await api.apiKeys.revoke(apiKey.id, { mail });
        await client.invalidateQueries({ queryKey: ['api-keys'] });
        await client.invalidateQueries({ queryKey: ['holds'] });
        say(`${isRevoked ? '' : `${apiKey.name} was revoked.`} ${mailWords(mail, hold)}`.trim());
      }}
    >
      <div className="stack">
        {isRevoked ? null : (
          <p>
            Anything that uses <code>{apiKey.prefix}…</code> is refused within a second, and the key cannot be
            brought back.
          </p>
        )}
        <SelectField
          label="Queued and scheduled mail of this key"
          hint={CHOICES[mail][1]}
          value={mail}
          onChange={(event) => setMail(event.target.value as Mail)}
        >
          {choices.map(([key, [label]]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
    </ConfirmDialog>
  );
}

/** Without a number where counting took too long. */
function mailWords(mail: Mail, hold: Data<'DELETE /api-keys/{id}'>['hold']): string {
  if (hold === null) return '';
  const { mail: figures, state } = hold;
  const count = figures === null ? '' : ` Deliveries: ${(figures.held + figures.later).toLocaleString()}.`;
  if (mail === 'hold') return `The mail of the key is held.${count}`;
  return state === 'in_force'
    ? `The mail of the key is held, because a worker of an earlier release is running.${count} Withdraw the mail when the upgrade has finished.`
    : `The mail of the key is withdrawn.${count}`;
}
