/** Streams: kinds of mail that are kept apart, what is set for each, and how they fare. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useOpenDialog } from '../../app/open-dialog.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { share } from '../../ui/figures.ts';
import { Card, Loading, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type Stream, streamNumbersQuery, streamsQuery } from './queries.ts';
import { StreamDialog } from './stream-dialog.tsx';

export function StreamsPage() {
  const can = useCan();
  const streams = useQuery(streamsQuery);
  const [creating, setCreating] = useOpenDialog('new');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  return (
    <>
      <PageHead
        title="Streams"
        lead="Streams separate kinds of mail, so that a newsletter cannot delay sign-in codes. Name the stream in the field stream when you send."
        actions={
          can.change ? (
            <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
              {' '}
              Create a stream{' '}
            </Button>
          ) : null
        }
      />
      <ErrorNote error={streams.error} onRetry={streams.refetch} />
      <Card flush>
        {streams.data ? <StreamTable streams={streams.data} onChoose={setChosen} /> : <Loading />}
      </Card>
      {creating ? <StreamDialog onClose={() => setCreating(false)} /> : null}
      {chosen?.to === 'edit' ? <StreamDialog stream={chosen.stream} onClose={() => setChosen(null)} /> : null}
      {chosen?.to === 'delete' ? (
        <DeleteStream stream={chosen.stream} onClose={() => setChosen(null)} />
      ) : null}
    </>
  );
}

/** What is to be done with which stream. */
interface Chosen {
  readonly stream: Stream;
  readonly to: 'edit' | 'delete';
}

interface TableProps {
  readonly streams: readonly Stream[];
  readonly onChoose: (chosen: Chosen) => void;
}

function StreamTable({ streams, onChoose }: TableProps) {
  const numbers = useQuery(streamNumbersQuery);
  const columns = ['Stream', 'Priority', 'Limit', 'Sent in 30 days', 'Delivered', 'Complaints'];
  return (
    <Table columns={columns} actions="Actions">
      {streams.map((stream) => {
        const group = numbers.data?.groups.find(({ name }) => name === stream.name);
        return (
          <tr key={stream.name}>
            <td className="wrap">
              <Link to="/emails" search={{ stream: stream.name }} className="strong">
                {stream.name}
              </Link>
              <div className="quiet small">{stream.description}</div>
            </td>
            <td data-label="Priority">{stream.priority}</td>
            <td data-label="Limit">{limitWords(stream)}</td>
            <td className="number" data-label="Sent in 30 days">
              {(group?.sent ?? 0).toLocaleString()}
            </td>
            <td className="number" data-label="Delivered">
              {share(group?.rates.delivered ?? null)}
            </td>
            <td className="number" data-label="Complaints">
              {share(group?.rates.complained ?? null)}
            </td>
            <td className="end">
              <StreamActions stream={stream} onChoose={onChoose} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function limitWords({ messages_per_minute, messages_per_hour }: Stream): string {
  const limits = [
    messages_per_minute === null ? [] : `${messages_per_minute.toLocaleString()} a minute`,
    messages_per_hour === null ? [] : `${messages_per_hour.toLocaleString()} an hour`,
  ].flat();
  return limits.length === 0 ? 'no limit' : limits.join(', ');
}

/** What mail has that names no stream stays as it is. */
const UNCHANGED = 'transactional';

function StreamActions({
  stream,
  onChoose,
}: {
  readonly stream: Stream;
  readonly onChoose: TableProps['onChoose'];
}) {
  const can = useCan();
  if (!can.change || stream.name === UNCHANGED) return null;
  return (
    <span className="row row-end">
      <Button
        size="small"
        onClick={() => onChoose({ stream, to: 'edit' })}
        aria-label={`Edit ${stream.name}`}
      >
        Edit
      </Button>
      {stream.built_in ? null : (
        <Button
          size="small"
          kind="danger"
          onClick={() => onChoose({ stream, to: 'delete' })}
          aria-label={`Delete ${stream.name}`}
        >
          Delete
        </Button>
      )}
    </span>
  );
}

function DeleteStream({ stream, onClose }: { readonly stream: Stream; readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  return (
    <ConfirmDialog
      title={`Delete ${stream.name}?`}
      action="Delete stream"
      onClose={onClose}
      onConfirm={async () => {
        await api.streams.delete(stream.name);
        await client.invalidateQueries({ queryKey: ['streams'] });
        say(`${stream.name} was deleted.`);
      }}
    >
      Mail in the stream stays, keeps the name of the stream and loses its limits. New mail that names the
      stream is refused.
    </ConfirmDialog>
  );
}
