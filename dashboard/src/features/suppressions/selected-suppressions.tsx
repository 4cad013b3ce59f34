/** Removes several entries at once. Asks twice where somebody complained. */
import type { Suppression } from '@postrider/sdk';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { counted, type RunBulk, useBulk } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Check } from '../../ui/field.tsx';
import { type Selection, SelectionBar } from '../../ui/selection.tsx';

const NOUNS = ['address', 'addresses'] as const;

export const useSuppressionBulk = () => useBulk({ nouns: NOUNS, refresh: ['suppressions'] });

interface Props {
  readonly rows: readonly Suppression[];
  readonly selection: Selection;
  readonly run: RunBulk;
}

export function SelectedSuppressions({ rows, selection, run }: Props) {
  // The rows that the question was asked about: the list may change while it is read.
  const [asked, setAsked] = useState<readonly Suppression[] | null>(null);
  const [isSure, setSure] = useState(false);
  const complaints = asked?.filter(({ reason }) => reason === 'complaint').length ?? 0;
  const close = () => {
    setAsked(null);
    setSure(false);
  };
  return (
    <>
      <SelectionBar of={selection}>
        <Button size="small" onClick={() => setAsked(rows.filter(({ id }) => selection.has(id)))}>
          Remove
        </Button>
      </SelectionBar>
      {asked ? (
        <ConfirmDialog
          title={`Remove ${counted(asked.length, NOUNS)} from the suppressions?`}
          action="Remove"
          disabled={complaints > 0 && !isSure}
          onClose={close}
          onConfirm={async () => {
            const entries = asked.map(({ id, email }) => ({ id, name: email }));
            await run('removed', entries, (ids) => api.suppressions.deleteMany(ids));
            selection.set(selection.all, false);
          }}
        >
          <div className="stack">
            <p>
              They may be mailed again from then on.
              {complaints > 0
                ? ` ${counted(complaints, ['recipient', 'recipients'])} reported mail from you as spam. Another complaint harms all of your mail.`
                : ''}
            </p>
            {complaints > 0 ? (
              <Check
                label="They asked for this mail again"
                checked={isSure}
                onChange={(event) => setSure(event.target.checked)}
              />
            ) : null}
          </div>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
