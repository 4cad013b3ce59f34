/** Chooses the language that is edited, and adds and removes languages. */
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

/** Only for a template with translations. */
export function LanguageChoice({ draft, locale, editable, onChoose, onChange }: Props) {
  if (draft.translations.length === 0) return null;
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
    </div>
  );
}

/** A translation begins with the texts of the template. */
export function AddLanguage({ draft, onChoose, onChange }: Pick<Props, 'draft' | 'onChoose' | 'onChange'>) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const add = () => {
    const made = withLanguage(draft, typed);
    setProblem(
      made === null
        ? 'Enter the code of a language that the template does not have yet, such as pt-BR.'
        : undefined,
    );
    if (made === null) return;
    onChange(made.draft);
    onChoose(made.locale);
    setTyped('');
  };
  return (
    <div className="row row-bottom">
      <TextField
        label="Add a language"
        className="input mono"
        placeholder="pt-BR"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        problem={problem}
      />
      <Button aria-disabled={typed === ''} onClick={add}>
        Add
      </Button>
    </div>
  );
}
