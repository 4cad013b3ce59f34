import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextArea } from '../../ui/field.tsx';
import { SaveRow } from './save-row.tsx';
import { toList } from './to-list.ts';
import { useSettingsForm } from './use-settings-form.ts';

/** Addresses and domains whose mail the guard never slows. The card shows that the setting is being read. */
export function GuardAllowList() {
  const can = useCan();
  const { values, edit, save, submit, changed } = useSettingsForm({
    name: 'guard',
    read: () => api.settings.guard(),
    toValues: ({ allow }) => ({ allow: allow.join('\n') }),
    write: ({ allow }) => api.settings.updateGuard({ allow: toList(allow) }),
  });
  if (!values) return null;
  return (
    <form className="stack" onSubmit={submit}>
      <TextArea
        label="Never slow mail to"
        rows={3}
        className="input mono"
        disabled={!can.change}
        value={values.allow}
        onChange={(event) => edit({ allow: event.target.value })}
        hint="One address or domain per line, such as mailboxes for alerts; subdomains are included."
        problem={problemOf(save.error, 'allow')}
      />
      <ErrorNote error={save.error} known={['allow']} />
      <SaveRow changed={changed} busy={save.isPending} />
    </form>
  );
}
