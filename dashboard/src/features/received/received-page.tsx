/** Mail that was received, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useListNavigation } from '../../app/list-navigation.ts';
import { changed, type SearchChanges } from '../../app/list-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { List, OlderOnes } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { type ReceivedSearch, receivedListQuery } from './queries.ts';

export function ReceivedPage() {
  const search = useSearch({ from: '/app/inbound' });
  const go = useListNavigation('/inbound');
  const mail = useInfiniteQuery(receivedListQuery(search));
  const filter = (changes: SearchChanges<ReceivedSearch>) =>
    go(search, changed<ReceivedSearch>(search, changes));
  return (
    <>
      <PageHead
        title="Inbound"
        lead="Mail to your addresses, and replies to emails that you sent with receive_replies."
      />
      <Card flush>
        <search className="filters">
          <SearchInput
            label="Search"
            placeholder="words of the subject, or the sender"
            value={search.q}
            onSettled={(q) => filter({ q })}
          />
          <SearchInput
            label="To"
            placeholder="support@example.org"
            value={search.to}
            onSettled={(to) => filter({ to })}
          />
        </search>
        <SavedViews list="inbound" />
        <List of={mail} rows={mail.data?.pages.flatMap(({ data }) => data)} empty={<Nothing {...search} />}>
          {(rows) => (
            <>
              <ReceivedTable rows={rows} />
              <div className="card-body">
                <OlderOnes of={mail} />
              </div>
            </>
          )}
        </List>
      </Card>
    </>
  );
}

function Nothing({ q, to }: ReceivedSearch) {
  if (q || to)
    return (
      <Empty icon="search" title="No received mail matches">
        <p>The search looks at the subject and the sender.</p>
      </Empty>
    );
  return (
    <Empty icon="received" title="Nothing has been received yet">
      <p>
        Add a domain and a route under <Link to="/inbound/addresses">Addresses</Link>, or send an email with{' '}
        <code>receive_replies</code> and reply to it.
      </p>
    </Empty>
  );
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly from: { readonly email: string; readonly name: string | null } | null;
  readonly to: readonly string[];
  readonly subject: string;
  readonly is_automatic: boolean;
  readonly has_attachments: boolean;
  readonly received_at: string;
}

function ReceivedTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <Table columns={['Subject', 'From', 'To', 'Received']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <td className="wrap">
            <Link to="/inbound/$id" params={{ id: row.id }} className="strong">
              {row.subject === '' ? '(no subject)' : row.subject}
            </Link>{' '}
            {row.is_automatic ? <Badge>automatic</Badge> : null}{' '}
            {row.has_attachments ? <Badge>files</Badge> : null}{' '}
            {row.status === 'unreadable' ? <Badge tone="warn">unreadable</Badge> : null}
          </td>
          <td>{row.from === null ? 'nobody' : (row.from.name ?? row.from.email)}</td>
          <td>
            <Shortened text={row.to.join(', ')} />
          </td>
          <td>
            <Time at={row.received_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
