import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SaveRow } from './save-row.tsx';
import { useSettingsForm } from './use-settings-form.ts';

export function RetentionCard() {
  const can = useCan();
  const { current, values, edit, save, submit, changed } = useSettingsForm({
    name: 'retention',
    read: () => api.settings.retention(),
    toValues: (days) => ({ content: String(days.content_days), email: String(days.email_days) }),
    write: ({ content, email }) =>
      api.settings.updateRetention({ content_days: Number(content), email_days: Number(email) }),
  });
  if (!values)
    return (
      <Card title="Retention">
        <QueryState of={current} lines={2} />
      </Card>
    );
  return (
    <Card title="Retention">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Days to keep content and attachments"
          type="number"
          min={0}
          required
          disabled={!can.change}
          value={values.content}
          onChange={(event) => edit({ content: event.target.value })}
          hint="0 keeps them as long as the email."
          problem={problemOf(save.error, 'content_days')}
        />
        <TextField
          label="Days to keep emails and events"
          type="number"
          min={0}
          required
          disabled={!can.change}
          value={values.email}
          onChange={(event) => edit({ email: event.target.value })}
          hint="0 keeps them forever. Mail is removed a week at a time."
          problem={problemOf(save.error, 'email_days')}
        />
        <ErrorNote error={save.error} known={['content_days', 'email_days']} />
        <SaveRow changed={changed} busy={save.isPending} />
      </form>
    </Card>
  );
}
