/** Adds a rule at the end, or changes one. */
import { useState } from 'react';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { fieldsBelow, problemAt, problemOf } from '../../ui/error-note.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { CanaryFields } from './canary-fields.tsx';
import { canaryForm, isSendable, wantedCanary } from './canary-form.ts';
import { useSaveRoutes } from './queries.ts';
import {
  MATCH_FIELDS,
  type MatchField,
  matchOf,
  parseSteps,
  type Rule,
  stepsText,
  type Table,
  wantedOf,
} from './table-text.ts';

interface Props {
  readonly table: Table;
  /** One after the last is a new one. */
  readonly index: number;
  readonly onClose: () => void;
}

export function RuleDialog({ table, index, onClose }: Props) {
  const rule = table.rules[index];
  const { form, set } = useForm(textsOf(rule));
  const steps = parseSteps(form.steps);
  const [canary, setCanary] = useState(() => canaryForm(rule?.canary ?? null, table.usual.canary));
  const before = wantedOf(table);
  const wanted = () => ({
    name: form.name === '' ? null : form.name,
    match: matchOf(form),
    steps: steps.ok ? steps.value : [],
    canary: wantedCanary(canary),
  });
  const save = useSaveRoutes(
    () => ({ ...before, rules: before.rules.toSpliced(index, 1, wanted()) }),
    onClose,
  );
  const at = `rules[${index}]`;
  const names = ['default', ...table.transports.map(({ name }) => name)];
  const isRead = steps.ok && isSendable(canary);
  return (
    <Dialog title={rule === undefined ? 'Add a rule' : `Edit rule ${index + 1}`} onClose={onClose}>
      <DialogForm
        does={save}
        action="Save"
        known={fieldsBelow(save.error, at)}
        disabled={!isRead}
        onClose={onClose}
      >
        <TextField
          label="Name"
          value={form.name}
          onChange={set('name')}
          hint="Optional. A note for your colleagues."
          problem={problemOf(save.error, `${at}.name`)}
        />
        {MATCH_FIELDS.map(({ field, label, example }) => (
          <TextField
            key={field}
            label={label}
            value={form[field]}
            onChange={set(field)}
            placeholder={example}
            hint="Empty: all."
            problem={problemOf(save.error, `${at}.match.${field}`)}
          />
        ))}
        <TextArea
          label="Sent through"
          required
          rows={3}
          value={form.steps}
          onChange={set('steps')}
          placeholder={'pool 3, acme 1\ndefault'}
          hint={`One step per line, in order of preference. Several transports with weights share a step. Transports: ${names.join(', ')}.`}
          problem={steps.ok ? problemOf(save.error, `${at}.steps`) : steps.problem}
        />
        <CanaryFields
          value={canary}
          onChange={setCanary}
          transports={names}
          usual={table.usual.canary}
          problem={(field) =>
            field === ''
              ? problemAt(save.error, `${at}.canary`)
              : problemOf(save.error, `${at}.canary.${field}`)
          }
        />
      </DialogForm>
    </Dialog>
  );
}

function textsOf(rule: Rule | undefined): Record<MatchField | 'name' | 'steps', string> {
  const listed = (field: MatchField) => rule?.match[field]?.join(', ') ?? '';
  return {
    name: rule?.name ?? '',
    steps: stepsText(rule?.steps ?? []),
    providers: listed('providers'),
    recipient_domains: listed('recipient_domains'),
    sender_domains: listed('sender_domains'),
    streams: listed('streams'),
    tags: listed('tags'),
    organizations: listed('organizations'),
  };
}
