import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextArea } from '../../ui/field.tsx';
import { templateQuery, templatesQuery } from '../templates/queries.ts';
import { sampleText } from '../templates/sample-data.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

interface Props {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
  readonly error: unknown;
}

export function TemplatePart({ draft, onChange, error }: Props) {
  const templates = useQuery(templatesQuery({ limit: 100, active: true, kind: 'template' }));
  const chosen = useQuery({ ...templateQuery(draft.templateId), enabled: draft.templateId !== '' });
  const { data } = chosen;
  // A template brings its own subject and says which data it wants; once, so that nothing typed is lost.
  const filledFor = useRef(draft.templateData === EMPTY_DRAFT.templateData ? '' : draft.templateId);
  useEffect(() => {
    if (!data || filledFor.current === data.id) return;
    filledFor.current = data.id;
    onChange({ subject: data.subject, templateData: sampleText(data) });
  }, [data, onChange]);
  return (
    <>
      <SelectField
        label="Template"
        required
        value={draft.templateId}
        onChange={(event) => onChange({ templateId: event.target.value })}
        problem={problemOf(error, 'template_id')}
      >
        <option value="">Choose a template</option>
        {templates.data?.data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextArea
        label="Data"
        rows={8}
        className="input mono"
        spellCheck={false}
        hint="JSON with a value for every variable of the template."
        value={draft.templateData}
        onChange={(event) => onChange({ templateData: event.target.value })}
        problem={problemOf(error, 'template_data')}
      />
      <ErrorNote error={templates.error ?? chosen.error} />
    </>
  );
}
