import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SaveRow } from './save-row.tsx';
import { toList } from './to-list.ts';
import { useSettingsForm } from './use-settings-form.ts';

export function DisposableCard() {
  const can = useCan();
  const { current, values, edit, save, submit, changed } = useSettingsForm({
    name: 'validation',
    read: () => api.settings.validation(),
    toValues: (lists) => ({
      allow: lists.disposable_allow.join('\n'),
      deny: lists.disposable_deny.join('\n'),
    }),
    write: ({ allow, deny }) =>
      api.settings.updateValidation({ disposable_allow: toList(allow), disposable_deny: toList(deny) }),
  });
  if (!values)
    return (
      <Card title="Disposable domains">
        <QueryState of={current} lines={3} />
      </Card>
    );
  return (
    <Card title="Disposable domains">
      <form className="stack" onSubmit={submit}>
        <TextArea
          label="Never treat as disposable"
          rows={3}
          className="input mono"
          disabled={!can.change}
          value={values.allow}
          onChange={(event) => edit({ allow: event.target.value })}
          hint="One domain per line. Subdomains are included."
          problem={problemOf(save.error, 'disposable_allow')}
        />
        <TextArea
          label="Always treat as disposable"
          rows={3}
          className="input mono"
          disabled={!can.change}
          value={values.deny}
          onChange={(event) => edit({ deny: event.target.value })}
          problem={problemOf(save.error, 'disposable_deny')}
        />
        <ErrorNote error={save.error} known={['disposable_allow', 'disposable_deny']} />
        <SaveRow changed={changed} busy={save.isPending} />
      </form>
    </Card>
  );
}
