/** Releases or discards several holds at once. */
import type { Hold } from '@postrider/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { counted, type Named, type RunBulk, useBulk } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/dialog.tsx';
import { useForm } from '../../ui/form.ts';
import { ReasonField } from '../../ui/reason-field.tsx';
import { type Selection, SelectionBar } from '../../ui/selection.tsx';
import { nameOf } from './hold-words.tsx';

const NOUNS = ['hold', 'holds'] as const;

export const useHoldBulk = () => useBulk({ nouns: NOUNS, refresh: ['holds', 'stats', 'emails'] });

interface Asked {
  readonly how: 'release' | 'discard';
  readonly holds: readonly Named[];
}

interface Props {
  readonly holds: readonly Hold[];
  readonly selection: Selection;
  readonly run: RunBulk;
}

export function SelectedHolds({ holds, selection, run }: Props) {
  // With the holds that the question is about: the list may change while it is read.
  const [asked, setAsked] = useState<Asked | null>(null);
  const { form, set } = useForm({ reason: '' });
  const { how, holds: chosen = [] } = asked ?? {};
  const ask = (ending: 'release' | 'discard') => {
    const named = holds.map((hold) => ({ id: hold.id, name: nameOf(hold) }));
    setAsked({ how: ending, holds: named.filter(({ id }) => selection.ids.includes(id)) });
  };
  const finish = () => {
    selection.set(selection.all, false);
    setAsked(null);
  };
  const discard = useMutation({
    mutationFn: () => run('discarded', chosen, (ids) => api.holds.discardMany({ ids, reason: form.reason })),
    onSuccess: finish,
  });
  return (
    <>
      <SelectionBar of={selection}>
        <Button size="small" onClick={() => ask('release')}>
          Release
        </Button>
        <Button size="small" kind="danger" onClick={() => ask('discard')}>
          Discard
        </Button>
      </SelectionBar>
      {how === 'release' ? (
        <ConfirmDialog
          title={`Release ${counted(chosen.length, NOUNS)}?`}
          action="Send the mail"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await run('released', chosen, (ids) => api.holds.releaseMany(ids));
            finish();
          }}
        >
          All mail of these holds is sent, at the pace that the receiving servers accept. Open a hold to see
          how much mail that is, and how old it is.
        </ConfirmDialog>
      ) : null}
      {how === 'discard' ? (
        <Dialog
          title={`Discard the mail of ${counted(chosen.length, NOUNS)}?`}
          onClose={() => setAsked(null)}
        >
          <DialogForm
            does={{ ...discard, mutate: () => discard.mutate() }}
            action="Discard the mail"
            known={['reason']}
            onClose={() => setAsked(null)}
          >
            <p>All mail of these holds is never sent and ends as failed. This cannot be undone.</p>
            <ReasonField value={form.reason} onChange={set('reason')} error={discard.error} />
          </DialogForm>
        </Dialog>
      ) : null}
    </>
  );
}
