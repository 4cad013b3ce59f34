/** What the built-in receiver captured. An empty inbox offers to send the first message. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useListNavigation } from '../../app/list-navigation.ts';
import { changed, type SearchChanges } from '../../app/list-search.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DeleteMessage } from './delete-message.tsx';
import { filterOf, type InboxSearch, inboxQuery } from './queries.ts';
import '../../ui/styles/preview.css';
import { SavedViews } from '../views/saved-views.tsx';
import { Tour } from './tour.tsx';

const SHOWN = [
  { key: 'all', label: 'All' },
  { key: 'unread', label: 'Unread' },
] as const;

export function InboxPage() {
  const can = useCan();
  const search = useSearch({ from: '/app/inbox' });
  const go = useListNavigation('/inbox');
  const client = useQueryClient();
  const say = useToast();
  const inbox = useQuery(inboxQuery(search));
  const [emptying, setEmptying] = useState(false);
  const filter = (changes: SearchChanges<InboxSearch>) => go(search, changed<InboxSearch>(search, changes));
  const markAll = useMutation({
    mutationFn: () => api.sandbox.markAll(true),
    onSuccess: () => client.invalidateQueries({ queryKey: ['inbox', 'list'] }),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  return (
    <>
      <PageHead
        title="Sandbox inbox"
        lead="All messages that live mode would have sent, as the receiving server got them. Each recipient has an entry. The newest 1,000 are kept."
        actions={
          can.change && inbox.data?.data.length ? (
            <>
              <Button busy={markAll.isPending} onClick={() => markAll.mutate()}>
                Mark all as read
              </Button>
              <Button kind="danger" icon="trash" onClick={() => setEmptying(true)}>
                Empty inbox
              </Button>
            </>
          ) : null
        }
      />
      <Card flush>
        <search className="filters">
          <SearchInput
            label="Search"
            placeholder="words of the subject, an address or the body"
            value={search.q}
            onSettled={(q) => filter({ q })}
          />
          <SearchInput
            label="To"
            placeholder="ada@example.org"
            value={search.to}
            onSettled={(to) => filter({ to })}
          />
          <Segments
            label="Show"
            options={SHOWN}
            chosen={search.show ?? 'all'}
            onChoose={(show) => filter({ show: show === 'unread' ? show : undefined })}
          />
        </search>
        <SavedViews list="sandbox_messages" />
        <PagedList
          of={inbox}
          nouns={['message', 'messages']}
          csv={{ name: 'inbox', rows: () => api.sandbox.all(filterOf(search)) }}
          onPage={(page) => go(search, { ...search, page })}
          empty={search.to || search.q || search.show ? <NothingFound {...search} /> : <Tour />}
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

function NothingFound({ to, q, show }: InboxSearch) {
  const what = [q ? `with “${q}”` : '', to ? `for ${to}` : ''].filter(Boolean).join(' ');
  return (
    <Empty icon="search" title={show ? `Nothing unread ${what}`.trim() : `Nothing has arrived ${what}`}>
      <p>A message that was just accepted takes a moment. This page checks again every few seconds.</p>
    </Empty>
  );
}

interface Row {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly from: { readonly email: string };
  readonly is_read: boolean;
  readonly received_at: string;
}

function InboxTable({ rows }: { readonly rows: readonly Row[] }) {
  const can = useCan();
  return (
    <Table columns={['Subject', 'To', 'From', 'Received']} actions={can.change ? 'Actions' : undefined}>
      {rows.map((row) => (
        <tr key={row.id} className={row.is_read ? '' : 'unread'}>
          <td className="wrap">
            <Link to="/inbox/$id" params={{ id: row.id }} className="row-link" title={row.subject}>
              <Shortened text={row.subject === '' ? '(no subject)' : row.subject} />
            </Link>{' '}
            {row.is_read ? null : <Badge tone="info">unread</Badge>}
          </td>
          <td className="wrap">{row.to}</td>
          <td className="quiet wrap">{row.from.email}</td>
          <td className="quiet">
            <Time at={row.received_at} />
          </td>
          {can.change ? (
            <td className="end">
              <DeleteMessage id={row.id} subject={row.subject} />
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  );
}
