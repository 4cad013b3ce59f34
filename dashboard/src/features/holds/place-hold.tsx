import type { Hold } from '@postrider/sdk';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { Check, SelectField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { ReasonField } from '../../ui/reason-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useHoldAction } from './queries.ts';

/** The others are the guard's. */
type Scope = Exclude<Hold['scope'], 'lane' | 'recipient'>;

const OWN: readonly (readonly [Scope, string])[] = [
  ['template', 'A template'],
  ['tag', 'A tag'],
  ['domain', 'A sending domain'],
  ['key', 'What an API key sent'],
  ['organization', 'The whole organization'],
];
const OF_OPERATORS: readonly (readonly [Scope, string])[] = [
  ['provider', 'A provider or site, for everybody'],
  ['all', 'Everything of this installation'],
];
const VALUES: Readonly<Partial<Record<Scope, readonly [label: string, hint: string]>>> = {
  template: ['Template', 'Its id or its alias.'],
  tag: ['Tag', 'A name, or name:value.'],
  key: ['API key', 'Its id, as in key_….'],
  domain: ['Domain', 'As in the address of the sender.'],
  provider: ['Provider or site', 'As the page Sites names it.'],
};

export function PlaceHold({
  isOperator,
  onClose,
}: {
  readonly isOperator: boolean;
  readonly onClose: () => void;
}) {
  const say = useToast();
  const [scope, setScope] = useState<Scope>('template');
  const { form, set } = useForm({ value: '', reason: '' });
  const [ahead, setAhead] = useState(false);
  const [label, hint] = VALUES[scope] ?? [];
  const of = { ...(label ? { value: form.value } : {}), ...(scope === 'tag' && ahead ? { ahead } : {}) };
  const place = useHoldAction<void>(async () => {
    const { mail } = await api.holds.create({ scope, reason: form.reason, ...of });
    say(`Held. Nothing of it is sent from now on.${coverageWords(mail)}`);
  }, onClose);
  return (
    <Dialog title="Hold mail" onClose={onClose}>
      <DialogForm does={place} action="Hold this mail" known={['value', 'reason']} onClose={onClose}>
        <SelectField
          label="Which mail"
          value={scope}
          onChange={(event) => setScope(event.target.value as Scope)}
        >
          {[...OWN, ...(isOperator ? OF_OPERATORS : [])].map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </SelectField>
        {label ? (
          <TextField
            label={label}
            hint={hint}
            required
            value={form.value}
            onChange={set('value')}
            problem={problemOf(place.error, 'value')}
          />
        ) : null}
        {scope === 'tag' ? (
          <Check
            label="Mail with this tag is still to come"
            checked={ahead}
            onChange={(event) => setAhead(event.target.checked)}
          />
        ) : null}
        <ReasonField
          hint="For everybody who wonders where the mail is."
          value={form.reason}
          onChange={set('reason')}
          error={place.error}
        />
      </DialogForm>
    </Dialog>
  );
}

/** Null where counting took too long. */
function coverageWords(mail: { held: number; later: number } | null): string {
  return mail === null ? '' : ` In the queue now: ${(mail.held + mail.later).toLocaleString()}.`;
}
