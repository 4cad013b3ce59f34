import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from './save-row.tsx';

export function DisposableCard() {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const lists = useQuery({ queryKey: ['settings', 'validation'], queryFn: () => api.settings.validation() });
  const [edited, setEdited] = useState<{ allow?: string; deny?: string }>({});
  const allow = edited.allow ?? lists.data?.disposable_allow.join('\n') ?? '';
  const deny = edited.deny ?? lists.data?.disposable_deny.join('\n') ?? '';
  const save = useMutation({
    mutationFn: () =>
      api.settings.updateValidation({ disposable_allow: toList(allow), disposable_deny: toList(deny) }),
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
  if (!lists.data)
    return (
      <Card title="Disposable domains">
        {lists.isPending ? <Loading lines={3} /> : <ErrorNote error={lists.error} />}
      </Card>
    );
  return (
    <Card title="Disposable domains">
      <form className="stack" onSubmit={submit}>
        <TextArea
          label="Never count as disposable"
          rows={3}
          className="input mono"
          disabled={!can.change}
          value={allow}
          onChange={(event) => setEdited({ ...edited, allow: event.target.value })}
          hint="One domain per line, with everything below it."
          problem={problemOf(save.error, 'disposable_allow')}
        />
        <TextArea
          label="Always count as disposable"
          rows={3}
          className="input mono"
          disabled={!can.change}
          value={deny}
          onChange={(event) => setEdited({ ...edited, deny: event.target.value })}
          problem={problemOf(save.error, 'disposable_deny')}
        />
        <ErrorNote error={save.error} known={['disposable_allow', 'disposable_deny']} />
        <SaveRow changed={Object.keys(edited).length > 0} busy={save.isPending} />
      </form>
    </Card>
  );
}

function toList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
