/** What the built-in receiver captured. An empty inbox offers to send the first message. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty, Loading, PageHead } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Time } from '../../ui/time.tsx';
import { inboxQuery } from './queries.ts';
import { Tour } from './tour.tsx';

export function InboxPage() {
  const can = useCan();
  const search = useSearch({ from: '/app/inbox' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const inbox = useQuery(inboxQuery(search));
  const [emptying, setEmptying] = useState(false);
  const rows = inbox.data?.data ?? [];
  return (
    <>
      <PageHead
        title="Sandbox inbox"
        lead="Every message that would have been sent, as the recipient's server received it. One entry per recipient; the last 1,000 are kept."
        actions={
          can.change && rows.length > 0 ? (
            <Button kind="danger" icon="trash" onClick={() => setEmptying(true)}>
              Empty inbox
            </Button>
          ) : null
        }
      />
      <Card flush>
        <search className="filters">
          <SearchInput
            label="To"
            placeholder="ada@example.org"
            value={search.to}
            onSettled={(to) => void navigate({ to: '/inbox', search: to ? { to } : {}, replace: true })}
          />
        </search>
        <ErrorNote error={inbox.error} />
        {inbox.isPending ? <Loading /> : null}
        {inbox.data && rows.length === 0 ? (
          search.to ? (
            <Empty icon="search" title={`Nothing has arrived for ${search.to}`}>
              <p>A message that was just accepted takes a moment. This page checks every two seconds.</p>
            </Empty>
          ) : (
            <Tour />
          )
        ) : null}
        {rows.length > 0 ? <InboxTable rows={rows} /> : null}
        {inbox.data && rows.length > 0 ? (
          <Pager
            page={inbox.data.pagination.page}
            pages={inbox.data.pagination.total_pages}
            total={inbox.data.pagination.total_count}
            noun={inbox.data.pagination.total_count === 1 ? 'message' : 'messages'}
            onPage={(page) => void navigate({ to: '/inbox', search: { ...search, page } })}
          />
        ) : null}
      </Card>
      {emptying ? (
        <ConfirmDialog
          title="Empty the inbox?"
          action="Delete all messages"
          onClose={() => setEmptying(false)}
          onConfirm={async () => {
            await api.sandbox.clear();
            await client.invalidateQueries({ queryKey: ['inbox'] });
          }}
        >
          All captured messages will be deleted. The emails themselves and their events stay.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface Row {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly from: { readonly email: string };
  readonly received_at: string;
}

function InboxTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <div className="table-scroll">
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">To</th>
            <th scope="col">From</th>
            <th scope="col">Received</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="wrap">
                <Link to="/inbox/$id" params={{ id: row.id }} className="row-link">
                  {row.subject === '' ? '(no subject)' : row.subject}
                </Link>
              </td>
              <td className="wrap">{row.to}</td>
              <td className="quiet wrap">{row.from.email}</td>
              <td className="quiet">
                <Time at={row.received_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
