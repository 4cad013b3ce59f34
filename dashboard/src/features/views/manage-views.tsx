/** The views that the user may change: rename, share, replace or delete them. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import type { Filters, View, ViewList } from './queries.ts';
import { whoseView } from './saved-views.tsx';
import { ViewDialog } from './view-dialog.tsx';

interface Props {
  readonly list: ViewList;
  readonly views: readonly View[];
  readonly filters: Filters | null;
  readonly onClose: () => void;
}

export function ManageViews({ list, views, filters, onClose }: Props) {
  const [chosen, setChosen] = useState<{ readonly view: View; readonly to: 'change' | 'delete' } | null>(
    null,
  );
  if (chosen?.to === 'change')
    return <ViewDialog list={list} view={chosen.view} filters={filters} onClose={onClose} />;
  if (chosen?.to === 'delete') return <DeleteView view={chosen.view} onClose={onClose} />;
  return (
    <Dialog title="Change views" onClose={onClose}>
      <ul className="plain-list stack">
        {views
          .filter(({ editable }) => editable)
          .map((view) => (
            <li key={view.id} className="row spread">
              <span className="wrap">
                {view.name} <span className="quiet small">{whoseView(view)}</span>
              </span>
              <span className="row">
                <Button
                  size="small"
                  aria-label={`Change ${view.name}`}
                  onClick={() => setChosen({ view, to: 'change' })}
                >
                  Change
                </Button>
                <Button
                  size="small"
                  kind="danger"
                  aria-label={`Delete ${view.name}`}
                  onClick={() => setChosen({ view, to: 'delete' })}
                >
                  Delete
                </Button>
              </span>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}

function DeleteView({ view, onClose }: { readonly view: View; readonly onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${view.name}?`}
      action="Delete"
      onConfirm={async () => {
        await api.views.delete(view.id);
        await client.invalidateQueries({ queryKey: ['views', view.list] });
      }}
      onClose={onClose}
    >
      {view.shared ? 'Nobody in the organization will see this view any more.' : 'Only you see this view.'}
    </ConfirmDialog>
  );
}
