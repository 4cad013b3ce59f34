/** The editor: what is typed is previewed by the server, so that preview and mail can never differ. */
import type { TemplateDetail } from '@postrider/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChecksCard } from './checks-card.tsx';
import { CodeEditor } from './code-editor.tsx';
import { type TemplateDraft, type Texts, textsIn, withTexts } from './draft.ts';
import { placeIn } from './highlight.ts';
import { Languages } from './languages.tsx';
import { NameFields } from './name-fields.tsx';
import { Preview } from './preview.tsx';
import { RealData } from './real-data.tsx';
import { SaveBar } from './save-bar.tsx';
import { useEdited } from './use-edited.ts';
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
  const edited = useEdited(template);
  const { draft, data, setDraft, setData } = edited;
  const [chosen, setLocale] = useState<string | null>(null);
  // A language may leave the template by somebody else's hand.
  const locale = draft.translations.some((one) => one.locale === chosen) ? chosen : null;
  const [taking, setTaking] = useState(false);
  const preview = usePreview(template, draft, data, locale);
  const set = (changes: Partial<TemplateDraft>) => setDraft({ ...draft, ...changes });
  const write = (changes: Partial<Texts>) => setDraft(withTexts(draft, locale, changes));
  const texts = textsIn(draft, locale);
  const prefix =
    locale === null ? '' : `translations[${draft.translations.findIndex((one) => one.locale === locale)}].`;
  const problems = useMemo(() => problemsByPart(preview.error, prefix), [preview.error, prefix]);
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
            <Languages
              draft={draft}
              locale={locale}
              editable={editable}
              onChoose={setLocale}
              onChange={setDraft}
            />
            {template.kind === 'template' ? (
              <TextField
                label="Subject"
                className="input mono"
                value={texts.subject}
                readOnly={!editable}
                onChange={(event) => write({ subject: event.target.value })}
                problem={problemOf(preview.error, `${prefix}subject`)}
              />
            ) : null}
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
                    key={`${part} ${locale}`}
                    label={part === 'html' ? 'HTML' : 'Text'}
                    value={texts[part]}
                    readOnly={!editable}
                    onChange={(value) => write({ [part]: value })}
                    problems={problems[part]}
                    problemAt={placeIn(problems[part]?.[0] ?? '')}
                  />
                )}
              </div>
            </Tabs>
            {editable ? <SaveBar edited={edited} /> : null}
          </div>
        </Card>
        <VariablesCard
          variables={preview.result?.variables ?? template.variables ?? []}
          rules={draft.variable_schema}
          editable={editable}
          onChange={(rules) => set({ variable_schema: rules })}
        />
        <ChecksCard kind={template.kind} draft={draft} data={data} locale={locale} />
        <UsersCard template={template} />
      </div>
      <Preview template={template} preview={preview} data={data} locale={locale} />
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

function problemsByPart(error: unknown, prefix: string): { html: string[]; text: string[] } {
  const details =
    (error as { details?: readonly { field: string; message: string }[] } | null)?.details ?? [];
  const of = (part: string) =>
    details.filter(({ field }) => field === prefix + part).map(({ message }) => message);
  return { html: of('html'), text: of('text') };
}

/** Which templates use a layout or partial: they change with it. */
function UsersCard({ template }: { readonly template: TemplateDetail }) {
  if (template.kind === 'template') return null;
  const users = template.used_by;
  return (
    <Card title="Used by">
      {users.length === 0 ? (
        <p className="quiet">No template uses this part.</p>
      ) : (
        <ul>
          {users.map(({ id, name }) => (
            <li key={id}>
              <Link to="/templates/$id" params={{ id }}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
