/** Requests that were refused: what there is of mail that never became an email. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { LogEntry } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { useListNavigation } from '../../app/list-navigation.ts';
import { changed } from '../../app/list-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { LogFilters } from './log-filters.tsx';
import { logQueryOf, logsQuery } from './queries.ts';
import { reasonOf } from './reasons.ts';
import type { LogSearch } from './search.ts';

export function LogsPage() {
  const search = useSearch({ from: '/app/logs' });
  const navigate = useListNavigation('/logs');
  const logs = useQuery(logsQuery(search));
  const filtered = Object.keys(search).some((name) => name !== 'page');
  const go = (next: LogSearch) => navigate(search, next);
  return (
    <>
      <PageHead
        title="Refused requests"
        lead="Requests of the last 7 days that Postrider did not accept, newest first."
      />
      <Card flush>
        <LogFilters
          search={search}
          filtered={filtered}
          onChange={(changes) => go(changed(search, changes))}
          onClear={() => go({})}
        />
        <SavedViews list="request_logs" />
        <PagedList
          of={logs}
          nouns={['request', 'requests']}
          csv={{ name: 'refused-requests', rows: () => api.requestLogs.all(logQueryOf(search)) }}
          onPage={(page) => go(changed(search, { page }))}
          lines={8}
          empty={filtered ? <NothingRefused onClear={() => go({})} /> : <NothingYet />}
        >
          {(rows) => <LogTable rows={rows} />}
        </PagedList>
      </Card>
    </>
  );
}

function NothingRefused({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty icon="search" title="Nothing matches">
      <p>
        No refused request of the last 7 days matches these filters. Accepted mail is listed under Emails.
      </p>
      <Button onClick={onClear}>Clear the filters</Button>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty icon="check" title="Nothing was refused">
      <p>
        When a request is refused (a domain that is not verified, a suppressed recipient, a mistake in a
        field), it is listed here with the reason, whether it came over HTTP or SMTP.
      </p>
    </Empty>
  );
}

function LogTable({ rows }: { readonly rows: readonly LogEntry[] }) {
  return (
    <Table columns={['Request', 'Reason', 'Recipients', 'Time']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <td className="wrap">
            <Link to="/logs/$id" params={{ id: row.id }} className="row-link">
              {row.method} {row.path}
            </Link>
            {row.count > 1 ? <span className="quiet small"> × {row.count.toLocaleString()}</span> : null}
          </td>
          <td className="wrap">
            <Badge tone={row.status >= 500 && row.path !== 'smtp' ? 'bad' : 'warn'}>
              {row.status} {reasonOf(row.code)}
            </Badge>
          </td>
          <td className="wrap">
            {row.recipients[0] ?? <span className="quiet">–</span>}
            {row.recipients.length > 1 ? (
              <span className="quiet small"> and {(row.recipients.length - 1).toLocaleString()} more</span>
            ) : null}
          </td>
          <td className="quiet">
            <Time at={row.at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
