import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from './save-row.tsx';

const CHOICES = [
  { key: 'off', label: 'Off', hint: 'Every well-formed address is accepted.' },
  {
    key: 'high',
    label: 'High risk',
    hint: 'Refuses recipients above 0.7: mailboxes that most likely do not exist.',
  },
  {
    key: 'medium',
    label: 'Medium risk',
    hint: 'Refuses recipients above 0.3: disposable and doubtful ones as well.',
  },
] as const;

export function AutoValidationCard() {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const setting = useQuery({
    queryKey: ['settings', 'auto-validation'],
    queryFn: () => api.settings.autoValidation(),
  });
  const current = setting.data?.auto_validation_threshold;
  const [chosen, setChosen] = useState<(typeof CHOICES)[number]['key'] | null>(null);
  const save = useMutation({
    mutationFn: () => api.settings.updateAutoValidation({ threshold: chosen ?? 'off' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['settings'] });
      say('Saved.');
    },
  });
  if (current === undefined)
    return (
      <Card title="Auto-validation">
        <QueryState of={setting} lines={3} />
      </Card>
    );
  return (
    <Card title="Auto-validation">
      <form className="stack" onSubmit={onSubmit(save.mutate)}>
        <fieldset disabled={!can.change}>
          <legend>Refuse risky recipients when an email is accepted</legend>
          <div className="stack-small">
            {CHOICES.map(({ key, label, hint }) => (
              <label key={key} className="check">
                <input
                  type="radio"
                  name="auto-validation"
                  checked={(chosen ?? current) === key}
                  onChange={() => setChosen(key)}
                />
                <span>
                  {label} <span className="quiet small">{hint}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <ErrorNote error={save.error} />
        <SaveRow changed={chosen !== null && chosen !== current} busy={save.isPending} />
      </form>
    </Card>
  );
}
