/** Asks before somebody may be mailed again, and twice where they had complained. */
import type { Suppression } from '@postrider/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Check } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';

interface Props {
  readonly entry: Pick<Suppression, 'id' | 'email' | 'reason'>;
  readonly onClose: () => void;
}

export function RemoveSuppression({ entry, onClose }: Props) {
  const client = useQueryClient();
  const say = useToast();
  const [sure, setSure] = useState(false);
  const complained = entry.reason === 'complaint';
  const remove = async () => {
    await api.suppressions.delete(entry.id);
    await client.invalidateQueries({ queryKey: ['suppressions'] });
    say(`${entry.email} may be mailed again.`);
  };
  return (
    <ConfirmDialog
      title="Remove this suppression?"
      action="Remove"
      disabled={complained && !sure}
      onConfirm={remove}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          <span className="strong wrap">{entry.email}</span> may be mailed again from then on.{' '}
          {WHY[entry.reason] ?? ''}
        </p>
        {complained ? (
          <Check
            label="The recipient asked for this mail again"
            checked={sure}
            onChange={(event) => setSure(event.target.checked)}
          />
        ) : null}
      </div>
    </ConfirmDialog>
  );
}

const WHY: Readonly<Record<string, string>> = {
  complaint: 'The recipient reported mail from you as spam. Another complaint harms all of your mail.',
  hard_bounce:
    'The mailbox did not exist. If the mailbox still does not exist, the next mail bounces and the address is suppressed again.',
  unsubscribe: 'The recipient unsubscribed.',
};
