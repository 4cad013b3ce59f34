import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from './save-row.tsx';
import { toList } from './to-list.ts';
import { useSettingsForm } from './use-settings-form.ts';

export function GuardCard() {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const setting = useQuery({ queryKey: ['settings', 'guard'], queryFn: () => api.settings.guard() });
  const save = useMutation({
    mutationFn: (enabled: boolean) => api.settings.updateGuard({ enabled }),
    onSuccess: async ({ enabled }) => {
      await client.invalidateQueries({ queryKey: ['settings'] });
      say(enabled ? 'The guard is on.' : 'The guard is off.');
    },
  });
  if (setting.data === undefined)
    return (
      <Card title="Guard">
        <QueryState of={setting} lines={2} />
      </Card>
    );
  return (
    <Card title="Guard">
      <div className="stack">
        <label className="check">
          <input
            type="checkbox"
            checked={setting.data.enabled}
            disabled={!can.change || save.isPending}
            onChange={(event) => save.mutate(event.target.checked)}
          />
          <span>
            Hold mail that is suddenly refused, and limit repeated mail{' '}
            <span className="quiet small">
              A template version that one provider suddenly refuses is held until you release or discard it
              under Emails → Holds. If one email is repeated to an address again and again, only the newest is
              sent, once per minute. In the first 24 hours the guard only watches.
            </span>
          </span>
        </label>
        <ErrorNote error={save.error} />
        <GuardAllowList />
      </div>
    </Card>
  );
}

/** Addresses and domains whose mail the guard never slows. The card shows that the setting is being read. */
function GuardAllowList() {
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
        label="Never limit mail to"
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
