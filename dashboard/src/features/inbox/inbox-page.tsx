/** What the built-in receiver captured. An empty inbox offers to send the first message. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
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
  return (
    <>
      <PageHead
        title="Sandbox inbox"
        lead="Every message that would have been sent, as the recipient's server received it. One entry per recipient; the last 1,000 are kept."
        actions={
          can.change && inbox.data?.data.length ? (
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
        <PagedList
          of={inbox}
          nouns={['message', 'messages']}
          csv={{ name: 'inbox', rows: () => api.sandbox.all(search.to ? { to: search.to } : {}) }}
          onPage={(page) => void navigate({ to: '/inbox', search: { ...search, page } })}
          empty={search.to ? <NothingFor address={search.to} /> : <Tour />}
        >
          {(rows) => <InboxTable rows={rows} />}
        </PagedList>
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

function NothingFor({ address }: { readonly address: string }) {
  return (
    <Empty icon="search" title={`Nothing has arrived for ${address}`}>
      <p>A message that was just accepted takes a moment. This page checks every two seconds.</p>
    </Empty>
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
    <Table columns={['Subject', 'To', 'From', 'Received']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <td className="wrap">
            <Link to="/inbox/$id" params={{ id: row.id }} className="row-link" title={row.subject}>
              <Shortened text={row.subject === '' ? '(no subject)' : row.subject} />
            </Link>
          </td>
          <td className="wrap">{row.to}</td>
          <td className="quiet wrap">{row.from.email}</td>
          <td className="quiet">
            <Time at={row.received_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
