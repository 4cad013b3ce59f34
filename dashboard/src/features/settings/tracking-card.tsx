import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Check } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card, Loading } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from './save-row.tsx';

export function TrackingCard() {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const current = useQuery({ queryKey: ['settings', 'tracking'], queryFn: () => api.settings.tracking() });
  const [edited, setEdited] = useState<boolean | null>(null);
  const save = useMutation({
    mutationFn: () => api.settings.updateTracking({ track_opens: edited === true }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['settings'] });
      setEdited(null);
      say('Saved.');
    },
  });
  if (!current.data)
    return (
      <Card title="Open tracking">
        {current.isPending ? (
          <Loading lines={2} />
        ) : (
          <ErrorNote error={current.error} onRetry={current.refetch} />
        )}
      </Card>
    );
  const { track_opens, problem } = current.data;
  return (
    <Card title="Open tracking">
      <form className="stack" onSubmit={onSubmit(save.mutate)}>
        <Check
          label="Track opens unless an email says otherwise"
          hint="An invisible image is added to the HTML. Mail services that load images for their users are counted, too, so treat the counts as a hint."
          checked={edited ?? track_opens}
          disabled={!can.change}
          onChange={(event) => setEdited(event.target.checked)}
        />
        {problem ? <p className="note warn">{problem}</p> : null}
        <ErrorNote error={save.error} />
        <SaveRow changed={edited !== null && edited !== track_opens} busy={save.isPending} />
      </form>
    </Card>
  );
}
