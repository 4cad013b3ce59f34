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
  ['key', 'Mail of an API key'],
  ['organization', 'The whole organization'],
];
const OF_OPERATORS: readonly (readonly [Scope, string])[] = [
  ['provider', 'A provider or receiving server, for all organizations'],
  ['all', 'All mail of this installation'],
];
const VALUES: Readonly<Partial<Record<Scope, readonly [label: string, hint: string]>>> = {
  template: ['Template', 'Its id or its alias.'],
  tag: ['Tag', 'A name, or name:value.'],
  key: ['API key', 'Its id, as in key_….'],
  domain: ['Domain', 'The domain of the sender address.'],
  provider: ['Provider or receiving server', 'The name under Receiving servers.'],
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
    say(`Held. This mail is not sent until the hold is released.${coverageWords(mail)}`);
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
            label="No mail with this tag exists yet"
            checked={ahead}
            onChange={(event) => setAhead(event.target.checked)}
          />
        ) : null}
        <ReasonField
          hint="Shown with the held mail."
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
