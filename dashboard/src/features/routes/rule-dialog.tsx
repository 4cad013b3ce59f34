/** Adds a rule at the end, or changes one. */
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { useSaveRoutes } from './queries.ts';
import {
  canaryText,
  MATCH_FIELDS,
  type MatchField,
  matchOf,
  parseCanary,
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
  const canary = parseCanary(form.canary, rule?.canary ?? null);
  const before = wantedOf(table);
  const wanted = () => ({
    name: form.name === '' ? null : form.name,
    match: matchOf(form),
    steps: steps.ok ? steps.value : [],
    canary: canary.ok ? canary.value : null,
  });
  const save = useSaveRoutes(
    () => ({ ...before, rules: before.rules.toSpliced(index, 1, wanted()) }),
    onClose,
  );
  const at = `rules[${index}]`;
  const names = ['default', ...table.transports.map(({ name }) => name)];
  return (
    <Dialog title={rule === undefined ? 'Add a rule' : `Edit rule ${index + 1}`} onClose={onClose}>
      <DialogForm does={save} action="Save" known={[]} disabled={!(steps.ok && canary.ok)} onClose={onClose}>
        <TextField label="Name" value={form.name} onChange={set('name')} hint="Optional. For people." />
        {MATCH_FIELDS.map(({ field, label, example }) => (
          <TextField
            key={field}
            label={label}
            value={form[field]}
            onChange={set(field)}
            placeholder={example}
            hint="Empty: any."
            problem={problemOf(save.error, `${at}.match.${field}`)}
          />
        ))}
        <TextArea
          label="Goes"
          required
          rows={3}
          value={form.steps}
          onChange={set('steps')}
          placeholder={'pool 3, acme 1\ndefault'}
          hint={`A step in a line, in order of preference; several with weights share it. There are: ${names.join(', ')}.`}
          problem={steps.ok ? problemOf(save.error, `${at}.steps`) : steps.problem}
        />
        <TextField
          label="Moves to, little by little"
          value={form.canary}
          onChange={set('canary')}
          placeholder="pool name=off-acme percents=1,5,10,25,50,100 minutes=60 mails=100"
          hint="Optional: a transport. A share of the mail goes there first, more while it fares no worse, none as soon as it does."
          problem={canary.ok ? problemOf(save.error, `${at}.canary`) : canary.problem}
        />
      </DialogForm>
    </Dialog>
  );
}

function textsOf(rule: Rule | undefined): Record<MatchField | 'name' | 'steps' | 'canary', string> {
  const listed = (field: MatchField) => rule?.match[field]?.join(', ') ?? '';
  return {
    name: rule?.name ?? '',
    steps: stepsText(rule?.steps ?? []),
    canary: canaryText(rule?.canary ?? null),
    providers: listed('providers'),
    recipient_domains: listed('recipient_domains'),
    sender_domains: listed('sender_domains'),
    streams: listed('streams'),
    tags: listed('tags'),
    organizations: listed('organizations'),
  };
}
