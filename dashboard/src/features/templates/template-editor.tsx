/** The editor: what is typed is previewed by the server, so that preview and mail can never differ. */
import type { TemplateDetail } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../app/api.ts';
import { useLeaveWarning } from '../../app/leave-warning.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CodeEditor } from './code-editor.tsx';
import { placeIn } from './highlight.ts';
import { Preview } from './preview.tsx';
import type { Rule } from './rules.ts';
import { sampleData } from './sample-data.ts';
import { usePreview } from './use-preview.ts';
import { VariablesCard } from './variables-card.tsx';

const PARTS = [
  { key: 'html', label: 'HTML' },
  { key: 'text', label: 'Text' },
  { key: 'data', label: 'Sample data' },
] as const;

export function TemplateEditor({ template }: { readonly template: TemplateDetail }) {
  const can = useCan();
  const [part, setPart] = useState<(typeof PARTS)[number]['key']>('html');
  const [draft, setDraft] = useState({
    name: template.name,
    alias: template.alias ?? '',
    subject: template.subject,
    html: template.html_body,
    text: template.text_body,
    variable_schema: template.variable_schema as unknown as Rule[],
  });
  const [data, setData] = useState(() => JSON.stringify(sampleData(template.variables ?? []), null, 2));
  const preview = usePreview(template.id, draft, data);
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const problems = useMemo(() => problemsByPart(preview.error), [preview.error]);
  const editable = can.change && template.is_active;
  return (
    <div className="halves">
      <div className="stack">
        <Card>
          <div className="stack">
            <TextField
              label="Name"
              value={draft.name}
              readOnly={!editable}
              onChange={(event) => set({ name: event.target.value })}
            />
            <TextField
              label="Alias"
              className="input mono"
              placeholder="receipt"
              value={draft.alias}
              readOnly={!editable}
              onChange={(event) => set({ alias: event.target.value })}
              hint="Optional: stands wherever the template's id does, as in template_id."
            />
            <TextField
              label="Subject"
              className="input mono"
              value={draft.subject}
              readOnly={!editable}
              onChange={(event) => set({ subject: event.target.value })}
              problem={problemOf(preview.error, 'subject')}
            />
            <Tabs label="Parts" tabs={PARTS} chosen={part} onChoose={setPart}>
              <div className="tab-body">
                {part === 'data' ? (
                  <CodeEditor
                    label="Sample data"
                    value={data}
                    onChange={setData}
                    problems={preview.dataProblem ? [preview.dataProblem] : []}
                  />
                ) : (
                  <CodeEditor
                    key={part}
                    label={part === 'html' ? 'HTML' : 'Text'}
                    value={draft[part]}
                    readOnly={!editable}
                    onChange={(value) => set({ [part]: value })}
                    problems={problems[part]}
                    problemAt={placeIn(problems[part]?.[0] ?? '')}
                  />
                )}
              </div>
            </Tabs>
            {editable ? <SaveBar template={template} draft={draft} /> : null}
          </div>
        </Card>
        <VariablesCard
          variables={preview.result?.variables ?? template.variables ?? []}
          rules={draft.variable_schema}
          editable={editable}
          onChange={(rules) => set({ variable_schema: rules })}
        />
      </div>
      <Preview template={template} preview={preview} data={data} />
    </div>
  );
}

interface Draft {
  readonly name: string;
  readonly alias: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variable_schema: Rule[];
}

function SaveBar({ template, draft }: { readonly template: TemplateDetail; readonly draft: Draft }) {
  const client = useQueryClient();
  const say = useToast();
  const changed =
    draft.name !== template.name ||
    draft.alias !== (template.alias ?? '') ||
    draft.subject !== template.subject ||
    draft.html !== template.html_body ||
    draft.text !== template.text_body ||
    JSON.stringify(draft.variable_schema) !== JSON.stringify(template.variable_schema);
  useLeaveWarning(changed);
  const save = useMutation({
    mutationFn: () => api.templates.update(template.id, { ...draft, alias: draft.alias || null }),
    onSuccess: async ({ version }) => {
      await client.invalidateQueries({ queryKey: ['templates'] });
      say(`Saved as version ${version}.`);
    },
  });
  return (
    <>
      <ErrorNote error={save.error} />
      <div className="row row-end">
        <span className="quiet small grow">{changed ? 'Not saved yet.' : 'All changes saved.'}</span>
        <Button kind="primary" disabled={!changed} busy={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
      </div>
    </>
  );
}

function problemsByPart(error: unknown): { html: string[]; text: string[] } {
  const details =
    (error as { details?: readonly { field: string; message: string }[] } | null)?.details ?? [];
  const of = (part: string) => details.filter(({ field }) => field === part).map(({ message }) => message);
  return { html: of('html'), text: of('text') };
}
