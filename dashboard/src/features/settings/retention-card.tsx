import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from './save-row.tsx';

export function RetentionCard() {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const current = useQuery({ queryKey: ['settings', 'retention'], queryFn: () => api.settings.retention() });
  const [edited, setEdited] = useState<{ content?: string; email?: string }>({});
  const content = edited.content ?? String(current.data?.content_days ?? '');
  const email = edited.email ?? String(current.data?.email_days ?? '');
  const save = useMutation({
    mutationFn: () =>
      api.settings.updateRetention({ content_days: Number(content), email_days: Number(email) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['settings'] });
      setEdited({});
      say('Saved.');
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  if (!current.data)
    return (
      <Card title="Retention">
        {current.isPending ? <Loading lines={2} /> : <ErrorNote error={current.error} />}
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
          value={content}
          onChange={(event) => setEdited({ ...edited, content: event.target.value })}
          hint="0: as long as the email."
          problem={problemOf(save.error, 'content_days')}
        />
        <TextField
          label="Days to keep emails and events"
          type="number"
          min={0}
          required
          disabled={!can.change}
          value={email}
          onChange={(event) => setEdited({ ...edited, email: event.target.value })}
          hint="0: for ever. Mail is removed by the week."
          problem={problemOf(save.error, 'email_days')}
        />
        <ErrorNote error={save.error} known={['content_days', 'email_days']} />
        <SaveRow changed={Object.keys(edited).length > 0} busy={save.isPending} />
      </form>
    </Card>
  );
}
