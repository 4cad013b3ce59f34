/** Saves the template as a draft (also with Ctrl+S), or publishes it. */
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Time } from '../../ui/time.tsx';
import { Compare } from './compare.tsx';
import { ConflictNote } from './conflict-note.tsx';
import type { Edited } from './use-edited.ts';
import { readAgain, type Saving } from './use-save.ts';

interface Props {
  readonly edited: Edited;
  readonly save: Saving;
}

interface BarProps extends Props {
  readonly status: RefObject<HTMLElement | null>;
}

/** Stays in view, so its buttons never leave the screen and never lose the focus. */
export function SaveBar({ edited, save, status }: BarProps) {
  const { opened, draft, contentChanged, namesChanged } = edited;
  const changed = contentChanged || namesChanged;
  const isStopped = clashOf(edited, save) !== null || save.isPending;
  const canSave = changed && !isStopped;
  const canPublish = (changed || opened.draft !== null) && !isStopped;
  const saveDraft = () => save.mutate({ publish: false, draft });
  useLeaveWarning(changed);
  useSaveKey(() => {
    if (canSave) saveDraft();
  });
  return (
    <div className="save-bar row row-end">
      <span className="quiet small grow" role="status" tabIndex={-1} ref={status}>
        {changed ? 'Not saved yet.' : 'All changes saved.'}
      </span>
      <Button
        aria-disabled={!canSave}
        busy={save.isPending && !save.variables.publish}
        onClick={saveDraft}
        title="Ctrl+S"
        aria-keyshortcuts="Control+S Meta+S"
      >
        Save draft
      </Button>
      <Button
        kind="primary"
        aria-disabled={!canPublish}
        busy={save.isPending && save.variables.publish}
        onClick={() => save.mutate({ publish: true, draft })}
      >
        Publish
      </Button>
    </div>
  );
}

/** Errors of saving, conflicts, and the note about an unpublished draft. */
export function SaveNotes({ edited, save }: Props) {
  const clash = clashOf(edited, save);
  return (
    <>
      <ErrorNote error={save.error} known={['last_changed_at']} />
      {clash ? <ConflictNote edited={edited} theirs={clash} /> : null}
      {edited.opened.draft !== null && !clash ? <DraftNote edited={edited} /> : null}
    </>
  );
}

/** A save of this page is answered before the page knows the new state. */
function clashOf({ conflict }: Edited, save: Saving) {
  return save.isPending ? null : conflict;
}

/** Explains that there is an unpublished draft, and who saved it. */
function DraftNote({ edited }: { readonly edited: Edited }) {
  const [comparing, setComparing] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const { opened } = edited;
  const { draft } = opened;
  if (draft === null) return null;
  return (
    <div className="note stack-small" role="status">
      <p>
        This is a draft, saved <Time at={draft.saved_at} />
        {draft.saved_by === null ? '' : ` by ${draft.saved_by}`}. Mail is sent with version {opened.version}.
      </p>
      <div className="row">
        <Button size="small" onClick={() => setComparing(true)}>
          Compare with version {opened.version}
        </Button>
        <Button size="small" onClick={() => setDiscarding(true)}>
          Discard draft
        </Button>
      </div>
      {comparing ? (
        <Compare
          template={opened}
          title={`Version ${opened.version} and the draft`}
          before={{ name: `Version ${opened.version}`, content: opened }}
          after={{ name: 'Draft', content: draft }}
          data={edited.data}
          onClose={() => setComparing(false)}
        />
      ) : null}
      {discarding ? <DiscardDraft edited={edited} onClose={() => setDiscarding(false)} /> : null}
    </div>
  );
}

function DiscardDraft({ edited, onClose }: { readonly edited: Edited; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { id, version, last_changed_at: lastChangedAt } = edited.opened;
  return (
    <ConfirmDialog
      title="Discard the draft?"
      action="Discard"
      onClose={onClose}
      onConfirm={async () => {
        await api.templates.discardDraft(id, { lastChangedAt });
        edited.open(await readAgain(client, id));
      }}
    >
      The draft and your changes since then are deleted. Version {version} is not changed.
    </ConfirmDialog>
  );
}

/** Ctrl+S and ⌘S save what is being edited, instead of the page. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
