/** Who did what. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty, Loading, PageHead } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

export function AuditLogPage() {
  const log = useInfiniteQuery({
    queryKey: ['audit-log'],
    queryFn: ({ pageParam }) =>
      api.auditLog.list({ limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination.next_cursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <PageHead title="Audit log" lead="Every change by a person or a key, newest first." />
      <Card flush>
        <ErrorNote error={log.error} />
        {log.isPending ? <Loading /> : null}
        {log.data && entries.length === 0 ? (
          <Empty icon="book" title="Nothing has been changed yet">
            <p>Signing in, creating keys, adding domains, inviting people: all of it is recorded here.</p>
          </Empty>
        ) : null}
        {entries.length > 0 ? <Entries entries={entries} /> : null}
        {log.hasNextPage ? (
          <div className="card-body">
            <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Show older
            </Button>
          </div>
        ) : null}
      </Card>
    </>
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <div className="table-scroll">
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">Did</th>
            <th scope="col">To</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="quiet">
                <Time at={entry.at} style="short" />
              </td>
              <td className="wrap">
                {entry.actor.name ?? entry.actor.id ?? 'somebody'}
                {entry.actor.type === 'api_key' ? <span className="quiet small"> (key)</span> : null}
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
        </tbody>
      </table>
    </div>
  );
}

function detailsOf({ details }: AuditEntry): string {
  return Object.entries(details ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
