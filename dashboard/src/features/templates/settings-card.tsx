/** The names of a template, and the layout around it. */
import type { TemplateDetail } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../../ui/error-note.tsx';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import type { TemplateDraft } from './draft.ts';
import { AddLanguage } from './languages.tsx';
import { layoutsQuery } from './queries.ts';

interface Props {
  readonly template: TemplateDetail;
  readonly draft: TemplateDraft;
  readonly editable: boolean;
  readonly error: unknown;
  readonly set: (changes: Partial<TemplateDraft>) => void;
  readonly onLanguage: (locale: string | null) => void;
}

export function SettingsCard({ template, draft, editable, error, set, onLanguage }: Props) {
  const { kind } = template;
  return (
    <Card title="Settings">
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
          hint={
            kind === 'partial'
              ? 'Templates include the partial by this alias. It cannot change while a template uses it.'
              : 'Optional. Can be used in place of the template id.'
          }
        />
        {kind === 'template' ? (
          <>
            <LayoutField draft={draft} editable={editable} error={error} set={set} />
            <Check
              label="Inline CSS"
              hint="Copies the rules of style sheets into the elements, for mail clients that ignore style sheets."
              checked={draft.inline_css}
              disabled={!editable}
              onChange={(event) => set({ inline_css: event.target.checked })}
            />
          </>
        ) : null}
        {editable ? <AddLanguage draft={draft} onChoose={onLanguage} onChange={set} /> : null}
      </div>
    </Card>
  );
}

function LayoutField({ draft, editable, error, set }: Omit<Props, 'template' | 'onLanguage'>) {
  const layouts = useQuery(layoutsQuery);
  const known = layouts.data?.data ?? [];
  return (
    <SelectField
      label="Layout"
      value={draft.layout ?? ''}
      disabled={!editable}
      onChange={(event) => set({ layout: event.target.value || null })}
      problem={problemOf(error, 'layout')}
    >
      <option value="">None</option>
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {draft.layout === null || known.some(({ id }) => id === draft.layout) ? null : (
        <option value={draft.layout}>{draft.layout}</option>
      )}
    </SelectField>
  );
}
