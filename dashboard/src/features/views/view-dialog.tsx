/** Saves the filters of a list as a view, or changes one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan, useMe } from '../../app/session.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Filters, View, ViewList } from './queries.ts';

const MAX_NAME = 60;

interface Props {
  readonly list: ViewList;
  /** The view to change; without it a new view is saved. */
  readonly view?: View;
  /** The filters of the list at the moment; null if it has none. */
  readonly filters: Filters | null;
  readonly onClose: () => void;
}

export function ViewDialog({ list, view, filters, onClose }: Props) {
  const client = useQueryClient();
  const say = useToast();
  const mayShare = useMayShare(view);
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const [replaces, setReplaces] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      view === undefined
        ? api.views.create({ list, name, query: filters ?? {}, shared })
        : api.views.update(view.id, { name, shared, ...(replaces && filters ? { query: filters } : {}) }),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: ['views', list] });
      say(view === undefined ? `The view ${saved.name} was saved.` : `The view ${saved.name} was changed.`);
      onClose();
    },
  });
  return (
    <Dialog title={view === undefined ? 'Save view' : `Change ${view.name}`} onClose={onClose}>
      <DialogForm does={save} action="Save" known={['name']} onClose={onClose}>
        <TextField
          label="Name"
          required
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problemOf(save.error, 'name')}
        />
        {mayShare ? (
          <Check
            label="Share with the organization"
            hint="All members see the view. You and owners can change it."
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
          />
        ) : null}
        {view !== undefined && filters !== null ? (
          <Check
            label="Replace its filters with those of the list now"
            checked={replaces}
            onChange={(event) => setReplaces(event.target.checked)}
          />
        ) : null}
      </DialogForm>
    </Dialog>
  );
}

/** Only its creator takes a shared view away from the others. */
function useMayShare(view: View | undefined): boolean {
  const { user } = useMe();
  const { change } = useCan();
  return change && (view === undefined || !view.shared || view.created_by === user.id);
}
