/** The subject, HTML and text of a template in one language, and the sample data. */
import type { TemplateDetail } from '@postrider/sdk';
import { useMemo, useState } from 'react';
import { problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BodyEditor, type Mode } from './body-editor.tsx';
import { type Texts, textsIn, withTexts } from './draft.ts';
import { InsertVariable } from './insert-variable.tsx';
import { LanguageChoice } from './languages.tsx';
import { SampleData } from './sample-data-editor.tsx';
import type { Edited } from './use-edited.ts';
import { TAKES_VARIABLES, useInsertion } from './use-insertion.ts';
import type { PreviewState } from './use-preview.ts';

const PARTS = [
  { key: 'html', label: 'HTML' },
  { key: 'text', label: 'Text' },
  { key: 'data', label: 'Sample data' },
] as const;

interface Props {
  readonly template: TemplateDetail;
  readonly edited: Edited;
  readonly editable: boolean;
  readonly preview: PreviewState;
  readonly locale: string | null;
  readonly setLocale: (locale: string | null) => void;
  readonly onPick: Parameters<typeof BodyEditor>[0]['onPick'];
}

export function ContentCard({ template, edited, editable, preview, locale, setLocale, onPick }: Props) {
  const { draft, data, setDraft } = edited;
  const [part, setPart] = useState<(typeof PARTS)[number]['key']>('html');
  const [mode, setMode] = useState<Mode>('code');
  const insertion = useInsertion();
  const write = (changes: Partial<Texts>) => setDraft(withTexts(draft, locale, changes));
  const texts = textsIn(draft, locale);
  const prefix =
    locale === null ? '' : `translations[${draft.translations.findIndex((one) => one.locale === locale)}].`;
  const problems = useMemo(() => problemsByPart(preview.error, prefix), [preview.error, prefix]);
  return (
    <Card>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only follows the focus of the fields inside */}
      <div className="stack" ref={insertion.around} onFocus={insertion.onFocus}>
        <LanguageChoice {...{ draft, locale, editable, onChoose: setLocale, onChange: setDraft }} />
        {template.kind === 'template' ? (
          <TextField
            {...TAKES_VARIABLES}
            label="Subject"
            className="input mono"
            value={texts.subject}
            readOnly={!editable}
            onChange={(event) => write({ subject: event.target.value })}
            problem={problemOf(preview.error, `${prefix}subject`)}
          />
        ) : null}
        <div>
          <Tabs label="Parts" tabs={PARTS} chosen={part} onChoose={setPart}>
            <div className="tab-body stack-small">
              {part === 'data' ? (
                <SampleData templateId={template.id} edited={edited} problem={preview.dataProblem} />
              ) : (
                <BodyEditor
                  key={`${part} ${locale}`}
                  part={part}
                  value={texts[part]}
                  editable={editable}
                  problems={problems[part]}
                  mode={mode}
                  onMode={setMode}
                  onPick={onPick}
                  onChange={(value) => write({ [part]: value })}
                >
                  <InsertVariable
                    used={preview.result?.variables ?? template.variables ?? []}
                    rules={draft.variable_schema}
                    data={data}
                    onInsert={insertion.insert}
                  />
                </BodyEditor>
              )}
            </div>
          </Tabs>
        </div>
      </div>
    </Card>
  );
}

function problemsByPart(error: unknown, prefix: string): { html: string[]; text: string[] } {
  const details =
    (error as { details?: readonly { field: string; message: string }[] } | null)?.details ?? [];
  const of = (part: string) =>
    details.filter(({ field }) => field === prefix + part).map(({ message }) => message);
  return { html: of('html'), text: of('text') };
}
