/** Saves a template, with its sample data; also with Ctrl+S. */
import type { TemplateDetail } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useSaveKey } from '../../ui/save-key.ts';
import { useToast } from '../../ui/toast.tsx';
import { parseData } from '../compose/draft.ts';
import type { Rule } from './rules.ts';

export interface TemplateDraft {
  readonly name: string;
  readonly alias: string;
  readonly subject: string;
  /** The id of a layout. */
  readonly layout: string | null;
  readonly html: string;
  readonly text: string;
  readonly variable_schema: Rule[];
}

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
  const contentChanged = isChanged(template, draft);
  const changed = contentChanged || dataChanged;
  useLeaveWarning(changed);
  const save = useMutation({
    mutationFn: async () =>
      api.templates.update(template.id, {
        ...contentOf(template.kind, draft),
        name: draft.name,
        alias: draft.alias || null,
        ...(dataChanged ? { sample_data: parseData(data) } : {}),
      }),
    onSuccess: async ({ version }) => {
      await client.invalidateQueries({ queryKey: ['templates'] });
      say(version === template.version ? 'Saved.' : `Saved as version ${version}.`);
    },
  });
  useSaveKey(() => {
    if (changed && !save.isPending) save.mutate();
  });
  return (
    <>
      <ErrorNote error={save.error} />
      <div className="row row-end">
        <span className="quiet small grow">{changed ? 'Not saved yet.' : 'All changes saved.'}</span>
        <Button
          kind="primary"
          disabled={!changed}
          busy={save.isPending}
          onClick={() => save.mutate()}
          title="Ctrl+S"
          aria-keyshortcuts="Control+S Meta+S"
        >
          Save
        </Button>
      </div>
    </>
  );
}

/** What a version is made of. Only what is sent has a subject and a layout. */
export function contentOf(kind: TemplateDetail['kind'], draft: Omit<TemplateDraft, 'name' | 'alias'>) {
  const { subject, layout, html, text, variable_schema } = draft;
  return { ...(kind === 'template' ? { subject, layout } : {}), html, text, variable_schema };
}

function isChanged(template: TemplateDetail, draft: TemplateDraft): boolean {
  return (
    draft.name !== template.name ||
    draft.alias !== (template.alias ?? '') ||
    draft.subject !== template.subject ||
    draft.layout !== template.layout ||
    draft.html !== template.html_body ||
    draft.text !== template.text_body ||
    JSON.stringify(draft.variable_schema) !== JSON.stringify(template.variable_schema)
  );
}
