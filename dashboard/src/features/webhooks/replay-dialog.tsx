/** Sends many events again: all that were given up, or everything of a span of time. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Dialog, DialogForm } from '../../ui/dialog.tsx';
import { problemOf } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';

/** As far as the log goes back. */
const KEPT_MS = 30 * 86_400_000;

export function ReplayDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useToast();
  const client = useQueryClient();
  const [status, setStatus] = useState<'failed' | 'all'>('failed');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const replay = useMutation({
    mutationFn: () => replayAll(id, { status, ...spanOf(since, until) }),
    onSuccess: async (count) => {
      say(count === 0 ? 'No event matches.' : `${events(count)} being sent again.`);
      await client.invalidateQueries({ queryKey: ['webhooks', id] });
      onClose();
    },
  });
  const zone = `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  return (
    <Dialog title="Replay several events" onClose={onClose}>
      <DialogForm does={replay} action="Replay" known={['since', 'until']} onClose={onClose}>
        <SelectField
          label="Events"
          value={status}
          onChange={(event) => setStatus(event.target.value as 'failed' | 'all')}
          hint="Every event keeps its webhook-id, so your code can recognize repeated events."
        >
          <option value="failed">Only failed events</option>
          <option value="all">Failed and delivered events</option>
        </SelectField>
        <TextField
          label="Since"
          type="datetime-local"
          value={since}
          required={status === 'all'}
          hint={`${zone} ${status === 'failed' ? 'Empty: the whole log, 30 days.' : ''}`}
          onChange={(event) => setSince(event.target.value)}
          problem={problemOf(replay.error, 'since')}
        />
        <TextField
          label="Until"
          type="datetime-local"
          value={until}
          hint="Empty: until now."
          onChange={(event) => setUntil(event.target.value)}
          problem={problemOf(replay.error, 'until')}
        />
      </DialogForm>
    </Dialog>
  );
}

interface Span {
  readonly since: string;
  readonly until?: string;
}

function spanOf(since: string, until: string): Span {
  const from = since === '' ? new Date(Date.now() - KEPT_MS) : new Date(since);
  return { since: from.toISOString(), ...(until === '' ? {} : { until: new Date(until).toISOString() }) };
}

/** One call sends a limited number again, and says where to go on. */
async function replayAll(id: string, body: Span & { status: 'failed' | 'all' }): Promise<number> {
  const { replayed, next_since } = await api.webhooks.replayRange(id, body);
  return next_since === null ? replayed : replayed + (await replayAll(id, { ...body, since: next_since }));
}

function events(count: number): string {
  return count === 1 ? '1 event is' : `${count.toLocaleString()} events are`;
}
