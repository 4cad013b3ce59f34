/** Saves a draft (also with Ctrl+S) or publishes what is written, with the sample data. */
import type { TemplateDetail } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { parseData } from '../compose/draft.ts';
import { Compare } from './compare.tsx';
import { contentOf, draftOf, isSameContent, type TemplateDraft } from './draft.ts';

interface Props {
  readonly template: TemplateDetail;
  readonly draft: TemplateDraft;
  readonly data: string;
  /** Whether the sample data is another than when it was opened or saved. */
  readonly dataChanged: boolean;
}

export function SaveBar({ template, draft, data, dataChanged }: Props) {
  const client = useQueryClient();
  const say = useToast();
  const before = draftOf(template);
  const contentChanged = !isSameContent(before, draft);
  const namesChanged = draft.name !== before.name || draft.alias !== before.alias || dataChanged;
  const changed = contentChanged || namesChanged;
  const hasDraft = template.draft !== null;
  useLeaveWarning(changed);
  const save = useMutation({
    mutationFn: async (publish: boolean) => {
      if (namesChanged) await api.templates.update(template.id, namesOf(draft, dataChanged ? data : null));
      if (contentChanged) await api.templates.saveDraft(template.id, contentOf(template.kind, draft));
      if (!publish || !(contentChanged || hasDraft)) return contentChanged ? 'Draft saved.' : 'Saved.';
      const { version } = await api.templates.publish(template.id);
      return `Published as version ${version}.`;
    },
    onSuccess: async (words) => {
      await client.invalidateQueries({ queryKey: ['templates'] });
      say(words);
    },
  });
  useSaveKey(() => {
    if (changed && !save.isPending) save.mutate(false);
  });
  return (
    <>
      <ErrorNote error={save.error} />
      {hasDraft ? <DraftNote template={template} /> : null}
      <div className="row row-end">
        <span className="quiet small grow">{changed ? 'Not saved yet.' : 'All changes saved.'}</span>
        <Button
          disabled={!changed}
          busy={save.isPending && !save.variables}
          onClick={() => save.mutate(false)}
          title="Ctrl+S"
          aria-keyshortcuts="Control+S Meta+S"
        >
          Save draft
        </Button>
        <Button
          kind="primary"
          disabled={!changed && !hasDraft}
          busy={save.isPending && save.variables}
          onClick={() => save.mutate(true)}
        >
          Publish
        </Button>
      </div>
    </>
  );
}

function namesOf(draft: TemplateDraft, data: string | null) {
  const sample = data === null ? {} : { sample_data: parseData(data) };
  return { name: draft.name, alias: draft.alias || null, ...sample };
}

/** What is written differs from what is sent, and who wrote it. */
function DraftNote({ template }: { readonly template: TemplateDetail }) {
  const client = useQueryClient();
  const [comparing, setComparing] = useState(false);
  const discard = useMutation({
    mutationFn: () => api.templates.discardDraft(template.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['templates'] }),
  });
  const { draft } = template;
  if (draft === null) return null;
  return (
    <div className="note stack-small" role="status">
      <p>
        This is a draft, saved <Time at={draft.saved_at} />
        {draft.saved_by === null ? '' : ` by ${draft.saved_by}`}. Mail is sent with version {template.version}
        .
      </p>
      <ErrorNote error={discard.error} />
      <div className="row">
        <Button size="small" onClick={() => setComparing(true)}>
          Compare with the published version
        </Button>
        <Button size="small" busy={discard.isPending} onClick={() => discard.mutate()}>
          Discard the draft
        </Button>
      </div>
      {comparing ? (
        <Compare
          title={`From version ${template.version} to the draft`}
          before={template}
          after={draft}
          onClose={() => setComparing(false)}
        />
      ) : null}
    </div>
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
