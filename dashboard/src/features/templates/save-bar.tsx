/** Saves a draft (also with Ctrl+S) or publishes what is written, with the sample data. */
import type { TemplateDetail } from '@postrider/sdk';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { parseData } from '../compose/draft.ts';
import { Compare } from './compare.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { contentOf, type TemplateDraft } from './draft.ts';
import { templateQuery } from './queries.ts';
import type { Edited } from './use-edited.ts';

export function SaveBar({ edited }: { readonly edited: Edited }) {
  const { opened, draft, contentChanged, namesChanged, conflict } = edited;
  const changed = contentChanged || namesChanged;
  const hasDraft = opened.draft !== null;
  useLeaveWarning(changed);
  const save = useSave(edited);
  const status = useFocusAfterSave(save.isPending);
  const saveDraft = () => save.mutate({ publish: false, draft });
  // Its own save is answered before the page knows the new state.
  const clash = save.isPending ? null : conflict;
  useSaveKey(() => {
    if (changed && clash === null && !save.isPending) saveDraft();
  });
  return (
    <>
      <ErrorNote error={save.error} known={['last_changed_at']} />
      {clash ? <ConflictNote edited={edited} theirs={clash} /> : null}
      {hasDraft && !clash ? <DraftNote edited={edited} /> : null}
      <div className="row row-end">
        <span className="quiet small grow" tabIndex={-1} ref={status}>
          {changed ? 'Not saved yet.' : 'All changes saved.'}
        </span>
        <Button
          disabled={!changed || clash !== null}
          busy={save.isPending && !save.variables.publish}
          onClick={saveDraft}
          title="Ctrl+S"
          aria-keyshortcuts="Control+S Meta+S"
        >
          Save draft
        </Button>
        <Button
          kind="primary"
          disabled={(!changed && !hasDraft) || clash !== null}
          busy={save.isPending && save.variables.publish}
          onClick={() => save.mutate({ publish: true, draft })}
        >
          Publish
        </Button>
      </div>
    </>
  );
}

interface Save {
  readonly publish: boolean;
  readonly draft: TemplateDraft;
}

/** The button that was pressed is disabled when everything is saved, and loses the focus. */
function useFocusAfterSave(isPending: boolean) {
  const status = useRef<HTMLSpanElement>(null);
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) status.current?.focus();
    wasPending.current = isPending;
  }, [isPending]);
  return status;
}

/** Every step names the last change that it knows of, so a colleague's save in between is never replaced. */
function useSave(edited: Edited) {
  const client = useQueryClient();
  const say = useToast();
  const { opened, data, contentChanged, namesChanged, dataChanged } = edited;
  const { id, kind } = opened;
  const lastChangedAt = useRef(opened.last_changed_at);
  return useMutation({
    mutationFn: async ({ publish, draft }: Save) => {
      const seen = () => ({ lastChangedAt: lastChangedAt.current });
      lastChangedAt.current = opened.last_changed_at;
      if (namesChanged) {
        const names = namesOf(draft, dataChanged ? data : null);
        lastChangedAt.current = (await api.templates.update(id, names, seen())).updated_at;
      }
      if (contentChanged) {
        const content = contentOf(kind, draft);
        lastChangedAt.current = (await api.templates.saveDraft(id, content, seen())).saved_at;
      }
      if (!publish || !(contentChanged || opened.draft)) return contentChanged ? 'Draft saved.' : 'Saved.';
      const { version } = await api.templates.publish(id, seen());
      return `Published as version ${version}.`;
    },
    onSuccess: async (words, { draft }) => {
      edited.saved(await readAgain(client, id), draft);
      say(words);
    },
    onError: async () => {
      const found = await readAgain(client, id).catch(() => null);
      // A step before the one that failed may have saved something; that is no conflict.
      if (found?.last_changed_at === lastChangedAt.current) edited.saved(found);
    },
  });
}

/** The lists and versions are read again too, when they are shown. */
async function readAgain(client: QueryClient, id: string): Promise<TemplateDetail> {
  await client.invalidateQueries({ queryKey: ['templates'] });
  return client.fetchQuery(templateQuery(id));
}

function namesOf(draft: TemplateDraft, data: string | null) {
  const sample = data === null ? {} : { sample_data: parseData(data) };
  return { name: draft.name, alias: draft.alias || null, ...sample };
}

/** What is written differs from what is sent, and who wrote it. */
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
          Compare with the published version
        </Button>
        <Button size="small" onClick={() => setDiscarding(true)}>
          Discard the draft
        </Button>
      </div>
      {comparing ? (
        <Compare
          title={`From version ${opened.version} to the draft`}
          before={opened}
          after={draft}
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
      action="Discard draft"
      onClose={onClose}
      onConfirm={async () => {
        await api.templates.discardDraft(id, { lastChangedAt });
        edited.open(await readAgain(client, id));
      }}
    >
      The draft and what you typed since are deleted. Version {version} stays as it is.
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
