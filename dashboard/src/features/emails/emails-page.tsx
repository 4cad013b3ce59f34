/** The list of all mail, filtered and live. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Card, Empty, Loading, PageHead } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Time } from '../../ui/time.tsx';
import { FirstMail } from './first-mail.tsx';
import { emailsQuery, STATUSES } from './queries.ts';
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
        lead="Everything that was accepted, the newest first. The list keeps itself up to date."
        actions={
          <Link to="/compose" className="button primary">
            Compose
          </Link>
        }
      />
      <Card flush>
        <Filters search={search} onChange={change} filtered={filtered} />
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

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof emailsQuery>['queryFn']>>>['data'][number];

function EmailTable({ rows }: { readonly rows: readonly Row[] }) {
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

const isAddress = (text: string) => /^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(text);

interface FilterProps {
  readonly search: EmailSearch;
  readonly filtered: boolean;
  readonly onChange: (changes: { [name in keyof EmailSearch]?: EmailSearch[name] | undefined }) => void;
}

function Filters({ search, onChange, filtered }: FilterProps) {
  const WHOLE = 'A whole address, or @example.org';
  return (
    <search className="filters">
      <SelectField
        label="Status"
        value={search.status ?? ''}
        onChange={(event) => onChange({ status: event.target.value || undefined })}
      >
        <option value="">Any</option>
        {STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
      <SearchInput
        label="To"
        hint={WHOLE}
        placeholder="ada@example.org"
        value={search.to}
        isComplete={isAddress}
        onSettled={(to) => onChange({ to })}
      />
      <SearchInput
        label="From"
        hint={WHOLE}
        placeholder="@sandbox.test"
        value={search.from}
        isComplete={isAddress}
        onSettled={(from) => onChange({ from })}
      />
      <SearchInput
        label="Subject"
        placeholder="Any part of it"
        value={search.subject}
        onSettled={(subject) => onChange({ subject })}
      />
      <SearchInput
        label="Tag"
        placeholder="name or name:value"
        value={search.tag}
        onSettled={(tag) => onChange({ tag })}
      />
      <SearchInput
        label="Batch"
        placeholder="batch_…"
        value={search.batch_id}
        onSettled={(batch_id) => onChange({ batch_id })}
      />
      <TextField
        label="Since"
        type="date"
        value={search.from_date ?? ''}
        onChange={(event) => onChange({ from_date: event.target.value || undefined })}
      />
      <TextField
        label="Until"
        type="date"
        value={search.to_date ?? ''}
        onChange={(event) => onChange({ to_date: event.target.value || undefined })}
      />
      {filtered ? (
        <div className="field">
          <span className="label visually-hidden">Filters</span>
          <Button
            className="filter-clear"
            onClick={() =>
              onChange({
                status: undefined,
                to: undefined,
                from: undefined,
                subject: undefined,
                tag: undefined,
                batch_id: undefined,
                from_date: undefined,
                to_date: undefined,
              })
            }
          >
            Clear the filters
          </Button>
        </div>
      ) : null}
    </search>
  );
}
