import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { GuardAllowList } from './guard-allow-list.tsx';

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
        {setting.isPending ? (
          <Loading lines={2} />
        ) : (
          <ErrorNote error={setting.error} onRetry={setting.refetch} />
        )}
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
            Hold mail that is suddenly refused, and slow repeats{' '}
            <span className="quiet small">
              A template version that one provider suddenly refuses is held until you release or discard it on
              the page Holds. If one email is repeated to an address again and again, only the newest is sent,
              once per minute. In the first 24 hours the guard only watches.
            </span>
          </span>
        </label>
        <ErrorNote error={save.error} />
        <GuardAllowList />
      </div>
    </Card>
  );
}
