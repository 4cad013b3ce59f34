/** Who did what. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { List, OlderOnes } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export function AuditLogPage() {
  const log = useInfiniteQuery({
    queryKey: ['audit-log'],
    queryFn: ({ pageParam }) =>
      api.auditLog.list({ limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination.next_cursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.data);
  return (
    <>
      <PageHead title="Audit log" lead="Every change by a person, a key or an operator, newest first." />
      <Card flush>
        <List
          of={log}
          rows={entries}
          empty={
            <Empty icon="book" title="Nothing has been changed yet">
              <p>Signing in, creating keys, adding domains, inviting people: all of it is recorded here.</p>
            </Empty>
          }
        >
          {(rows) => <Entries entries={rows} />}
        </List>
        {log.hasNextPage ? (
          <div className="card-body">
            <OlderOnes of={log} />
          </div>
        ) : null}
      </Card>
    </>
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table columns={['When', 'Who', 'Did', 'To', 'From']}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td className="quiet">
            <Time at={entry.at} style="short" />
          </td>
          <td className="wrap">
            {entry.actor.name ?? entry.actor.id ?? 'somebody'}
            {entry.actor.type === 'user' ? null : (
              <span className="quiet small"> ({entry.actor.type === 'api_key' ? 'key' : 'operator'})</span>
            )}
          </td>
          <td>
            <code>{entry.action}</code>
          </td>
          <td className="wrap">
            {entry.target.name ?? entry.target.id ?? ''}
            <span className="quiet small"> {detailsOf(entry)}</span>
          </td>
          <td className="quiet">{entry.address ?? ''}</td>
        </tr>
      ))}
    </Table>
  );
}

function detailsOf({ details }: AuditEntry): string {
  return Object.entries(details ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
