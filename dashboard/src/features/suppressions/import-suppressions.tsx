/** A list from a file or the clipboard, worked off by the server while this shows how far it is. */
import { SUPPRESSION_REASONS } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useEffect, useState } from 'react';
import { api } from '../../app/api.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { onSubmit } from '../../ui/form.ts';
import { importQuery, type Reason } from './queries.ts';

export function ImportSuppressions({ onClose }: { readonly onClose: () => void }) {
  const [started, setStarted] = useState<string | null>(null);
  return (
    <Dialog title="Import a list" onClose={onClose}>
      {started === null ? <ImportForm onStarted={setStarted} /> : <Progress id={started} onClose={onClose} />}
    </Dialog>
  );
}

function ImportForm({ onStarted }: { readonly onStarted: (id: string) => void }) {
  const [list, setList] = useState('');
  const [reason, setReason] = useState('');
  const start = useMutation({
    mutationFn: () => api.suppressions.import(list, reason === '' ? {} : { reason: reason as Reason }),
    onSuccess: ({ id }) => onStarted(id),
  });
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (file) setList(await file.text());
  };
  return (
    <form className="stack" onSubmit={onSubmit(start.mutate)}>
      <TextField
        label="CSV file"
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        onChange={read}
        hint="Columns email and reason; others are ignored. Up to 100,000 addresses."
      />
      <TextArea
        label="Or paste the list"
        rows={7}
        className="input mono"
        spellCheck={false}
        placeholder={'email,reason\nada@example.org,unsubscribe'}
        value={list}
        onChange={(event) => setList(event.target.value)}
      />
      <SelectField label="Default reason" value={reason} onChange={(event) => setReason(event.target.value)}>
        <option value="">manual, and leave existing entries as they are</option>
        {SUPPRESSION_REASONS.map((one) => (
          <option key={one} value={one}>
            {words(one)}
          </option>
        ))}
      </SelectField>
      <ErrorNote error={start.error} />
      <div className="row row-end">
        <Button kind="primary" type="submit" disabled={list.trim() === ''} busy={start.isPending}>
          Import
        </Button>
      </div>
    </form>
  );
}

function Progress({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(importQuery(id));
  const finished = data?.status === 'done' || data?.status === 'failed';
  useEffect(() => {
    if (finished) void client.invalidateQueries({ queryKey: ['suppressions', 'list'] });
  }, [finished, client]);
  return (
    <div className="stack" role="status">
      <ErrorNote error={error} onRetry={refetch} />
      {data ? (
        <>
          <div className="spread">
            <Status value={data.status} />
            <span className="number">
              {data.processed.toLocaleString()} of {data.total.toLocaleString()}
            </span>
          </div>
          <progress value={data.processed} max={Math.max(1, data.total)} aria-label="Progress" />
          <p>
            {data.added.toLocaleString()} added, {data.existing.toLocaleString()} already existed,{' '}
            {data.invalid.toLocaleString()} left out.
          </p>
          {data.errors.length > 0 ? (
            <ul className="small">
              {data.errors.slice(0, 20).map(({ line, message }) => (
                <li key={line}>
                  Line {line}: {message}
                </li>
              ))}
            </ul>
          ) : null}
        </>
      ) : null}
      <div className="row row-end">
        <Button kind={finished ? 'primary' : 'plain'} onClick={onClose}>
          {finished ? 'Done' : 'Continue in the background'}
        </Button>
      </div>
    </div>
  );
}
