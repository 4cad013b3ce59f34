/** The editor: what is typed is previewed by the server, so that preview and mail can never differ. */
import type { TemplateDetail } from '@postrider/sdk';
import { useMemo, useState } from 'react';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChecksCard } from './checks-card.tsx';
import { CodeEditor } from './code-editor.tsx';
import { placeIn } from './highlight.ts';
import { NameFields } from './name-fields.tsx';
import { Preview } from './preview.tsx';
import { RealData } from './real-data.tsx';
import type { Rule } from './rules.ts';
import { isSameData, sampleText } from './sample-data.ts';
import { SaveBar, type TemplateDraft } from './save-bar.tsx';
import { usePreview } from './use-preview.ts';
import { UsersCard } from './users-card.tsx';
import { VariablesCard } from './variables-card.tsx';

const PARTS = [
  { key: 'html', label: 'HTML' },
  { key: 'text', label: 'Text' },
  { key: 'data', label: 'Sample data' },
] as const;

export function TemplateEditor({ template }: { readonly template: TemplateDetail }) {
  const can = useCan();
  const [part, setPart] = useState<(typeof PARTS)[number]['key']>('html');
  const [draft, setDraft] = useState<TemplateDraft>({
    name: template.name,
    alias: template.alias ?? '',
    subject: template.subject,
    layout: template.layout,
    html: template.html_body,
    text: template.text_body,
    variable_schema: template.variable_schema as unknown as Rule[],
  });
  const kept = useMemo(() => sampleText(template), [template]);
  // Until somebody types, it follows the template: a new variable gets a value when it is saved.
  const [typed, setData] = useState<string | null>(null);
  const data = typed ?? kept;
  const [taking, setTaking] = useState(false);
  const preview = usePreview(template, draft, data);
  const set = (changes: Partial<TemplateDraft>) => setDraft({ ...draft, ...changes });
  const problems = useMemo(() => problemsByPart(preview.error), [preview.error]);
  const editable = can.change && template.is_active;
  return (
    <div className="halves">
      <div className="stack">
        <Card>
          <div className="stack">
            <NameFields
              template={template}
              draft={draft}
              editable={editable}
              error={preview.error}
              set={set}
            />
            <Tabs label="Parts" tabs={PARTS} chosen={part} onChoose={setPart}>
              <div className="tab-body">
                {part === 'data' ? (
                  <div className="stack-small">
                    <CodeEditor
                      label="Sample data"
                      value={data}
                      onChange={setData}
                      problems={preview.dataProblem ? [preview.dataProblem] : []}
                    />
                    <div className="row">
                      <span className="quiet small grow">
                        Saved with the template, and never used in real mail.
                      </span>
                      <Button size="small" onClick={() => setTaking(true)}>
                        Use the data of a real send
                      </Button>
                    </div>
                  </div>
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
            {editable ? (
              <SaveBar
                template={template}
                draft={draft}
                data={data}
                dataChanged={typed !== null && !isSameData(typed, kept)}
              />
            ) : null}
          </div>
        </Card>
        <VariablesCard
          variables={preview.result?.variables ?? template.variables ?? []}
          rules={draft.variable_schema}
          editable={editable}
          onChange={(rules) => set({ variable_schema: rules })}
        />
        <ChecksCard kind={template.kind} draft={draft} data={data} />
        <UsersCard template={template} />
      </div>
      <Preview template={template} preview={preview} data={data} />
      {taking ? (
        <RealData
          templateId={template.id}
          onTake={(taken) => {
            setData(taken);
            setTaking(false);
          }}
          onClose={() => setTaking(false)}
        />
      ) : null}
    </div>
  );
}

function problemsByPart(error: unknown): { html: string[]; text: string[] } {
  const details =
    (error as { details?: readonly { field: string; message: string }[] } | null)?.details ?? [];
  const of = (part: string) => details.filter(({ field }) => field === part).map(({ message }) => message);
  return { html: of('html'), text: of('text') };
}
