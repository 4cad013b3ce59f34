/** The list of all mail, filtered and live. */
import type { EmailItem } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty, Loading, PageHead } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Time } from '../../ui/time.tsx';
import { EmailFilters } from './email-filters.tsx';
import { FirstMail } from './first-mail.tsx';
import { emailsQuery } from './queries.ts';
import type { EmailSearch } from './search.ts';

export function EmailsPage() {
  const search = useSearch({ from: '/app/emails' });
  const navigate = useNavigate();
  const emails = useQuery(emailsQuery(search));
  const filtered = Object.keys(search).some((name) => name !== 'page');
  const change = (changes: { [name in keyof EmailSearch]?: EmailSearch[name] | undefined }) => {
    const next = Object.entries({ ...search, page: undefined, ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    void navigate({ to: '/emails', search: Object.fromEntries(next) as EmailSearch, replace: true });
  };
  return (
    <>
      <PageHead
        title="Emails"
        lead="Everything that was accepted, newest first. The list updates itself."
        actions={
          <Link to="/compose" className="button primary">
            Compose
          </Link>
        }
      />
      <Card flush>
        <EmailFilters search={search} onChange={change} filtered={filtered} />
        <ErrorNote error={emails.error} />
        {emails.isPending ? <Loading lines={8} /> : null}
        {emails.data ? (
          <>
            <EmailTable rows={emails.data.data} />
            {emails.data.data.length === 0 ? (
              filtered ? (
                <Empty icon="search" title="Nothing matches">
                  <p>
                    Addresses are searched whole or by domain (@example.org), subjects by any part of them.
                  </p>
                  <Button onClick={() => void navigate({ to: '/emails', search: {} })}>
                    Clear the filters
                  </Button>
                </Empty>
              ) : (
                <FirstMail />
              )
            ) : (
              <Pager
                page={emails.data.pagination.page}
                pages={emails.data.pagination.total_pages}
                total={emails.data.pagination.total_count}
                noun={emails.data.pagination.total_count === 1 ? 'email' : 'emails'}
                onPage={(page) => change({ page })}
              />
            )}
          </>
        ) : null}
      </Card>
    </>
  );
}

function EmailTable({ rows }: { readonly rows: readonly EmailItem[] }) {
  if (rows.length === 0) return null;
  return (
    <div className="table-scroll">
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">To</th>
            <th scope="col">Subject</th>
            <th scope="col">Status</th>
            <th scope="col">Accepted</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="wrap">
                <Link to="/emails/$id" params={{ id: row.id }} className="row-link">
                  {row.to?.[0]?.email ?? row.id}
                </Link>
                {row.to && row.to.length > 1 ? (
                  <span className="quiet small"> and {row.to.length - 1} more</span>
                ) : null}
              </td>
              <td className="wrap">{row.subject}</td>
              <td>
                <Status value={row.status} />
              </td>
              <td className="quiet">
                <Time at={row.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
