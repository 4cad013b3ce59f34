import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Check, SelectField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SaveRow } from './save-row.tsx';

type Clicks = Awaited<ReturnType<typeof api.settings.tracking>>['track_clicks'];

export const CLICK_WORDS: Readonly<Record<Clicks, string>> = {
  off: 'No',
  html: 'Links of HTML',
  html_and_text: 'Links of HTML and of plain text',
};

export function TrackingCard() {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const current = useQuery({ queryKey: ['settings', 'tracking'], queryFn: () => api.settings.tracking() });
  const [opens, setOpens] = useState<boolean | null>(null);
  const [clicks, setClicks] = useState<Clicks | null>(null);
  const shown = { opens: opens ?? current.data?.track_opens, clicks: clicks ?? current.data?.track_clicks };
  const save = useMutation({
    mutationFn: () =>
      api.settings.updateTracking({ track_opens: shown.opens === true, track_clicks: shown.clicks ?? 'off' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['settings'] });
      setOpens(null);
      setClicks(null);
      say('Saved.');
    },
  });
  if (!current.data)
    return (
      <Card title="Tracking">
        <QueryState of={current} lines={2} />
      </Card>
    );
  const { track_opens, track_clicks, problem } = current.data;
  const isChanged = shown.opens !== track_opens || shown.clicks !== track_clicks;
  return (
    <Card title="Tracking">
      <form className="stack" onSubmit={onSubmit(save.mutate)}>
        <Check
          label="Track opens unless an email says otherwise"
          hint="An invisible image is added to the HTML. Mail services that load images for their users are counted, too, so the counts are estimates."
          checked={shown.opens === true}
          disabled={!can.change}
          onChange={(event) => setOpens(event.target.checked)}
        />
        <SelectField
          label="Track clicks unless a domain or an email says otherwise"
          hint="Links lead through this installation, which records who followed them and when. Many countries require that you ask for consent, or at least inform the recipients."
          value={shown.clicks}
          disabled={!can.change}
          onChange={(event) => setClicks(event.target.value as Clicks)}
        >
          {Object.entries(CLICK_WORDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {problem ? <p className="note warn">{problem}</p> : null}
        <ErrorNote error={save.error} />
        <SaveRow changed={isChanged} busy={save.isPending} />
      </form>
    </Card>
  );
}
