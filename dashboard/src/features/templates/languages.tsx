/** Chooses the language that is edited, and adds languages. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type TemplateDraft, withLanguage } from './draft.ts';

interface Props {
  readonly draft: TemplateDraft;
  readonly locale: string | null;
  readonly editable: boolean;
  readonly onChoose: (locale: string | null) => void;
  readonly onChange: (draft: TemplateDraft) => void;
}

export function Languages({ draft, locale, editable, onChoose, onChange }: Props) {
  const [asked, setAsked] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const add = () => {
    const made = withLanguage(draft, asked);
    setProblem(
      made === null
        ? 'Enter the code of a language that the template does not have yet, such as pt-BR.'
        : undefined,
    );
    if (made === null) return;
    onChange(made.draft);
    onChoose(made.locale);
    setAsked('');
  };
  const remove = () => {
    onChange({ ...draft, translations: draft.translations.filter((one) => one.locale !== locale) });
    onChoose(null);
  };
  return (
    <div className="row">
      <SelectField
        label="Language"
        value={locale ?? ''}
        onChange={(event) => onChoose(event.target.value || null)}
      >
        <option value="">Default</option>
        {draft.translations.map((one) => (
          <option key={one.locale} value={one.locale}>
            {one.locale}
          </option>
        ))}
      </SelectField>
      {editable && locale !== null ? (
        <Button size="small" onClick={remove}>
          Remove {locale}
        </Button>
      ) : null}
      {editable && locale === null ? (
        <>
          <TextField
            label="Add a language"
            className="input mono"
            placeholder="pt-BR"
            value={asked}
            onChange={(event) => setAsked(event.target.value)}
            problem={problem}
          />
          <Button size="small" disabled={asked === ''} onClick={add}>
            Add
          </Button>
        </>
      ) : null}
    </div>
  );
}
