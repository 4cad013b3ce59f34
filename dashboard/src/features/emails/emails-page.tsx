/** The list of all mail, filtered and live. */
import type { EmailItem } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useListNavigation } from '../../app/list-navigation.ts';
import { changed, type SearchChanges } from '../../app/list-search.ts';
import { useCan } from '../../app/session.ts';
import type { RunBulk } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { SelectCell, type Selection, useSelection } from '../../ui/selection.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Expected } from '../sites/site-parts.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { EmailFilters } from './email-filters.tsx';
import { EmailState } from './email-state.tsx';
import { FirstMail } from './first-mail.tsx';
import { allEmails, emailsQuery } from './queries.ts';
import type { EmailSearch } from './search.ts';
import { SelectedEmails, useEmailBulk } from './selected-emails.tsx';
import { SuppressedNotes } from './suppressed-notes.tsx';

export function EmailsPage() {
  const search = useSearch({ from: '/app/emails' });
  const go = useListNavigation('/emails');
  const emails = useQuery(emailsQuery(search));
  const bulk = useEmailBulk();
  const filtered = Object.keys(search).some((name) => name !== 'page');
  const change = (changes: SearchChanges<EmailSearch>) => go(search, changed(search, changes));
  return (
    <>
      <PageHead
        title="Emails"
        lead="All accepted emails, newest first. The list updates automatically."
        actions={
          <Link to="/compose" className="button primary">
            Compose
          </Link>
        }
      />
      <SuppressedNotes search={search} />
      <Card flush>
        <EmailFilters search={search} onChange={change} filtered={filtered} />
        <SavedViews list="emails" />
        {bulk.note}
        <PagedList
          of={emails}
          nouns={['email', 'emails']}
          csv={{ name: 'emails', rows: () => allEmails(search) }}
          onPage={(page) => change({ page })}
          lines={8}
          empty={filtered ? <NothingMatches search={search} /> : <FirstMail />}
        >
          {(rows) => <EmailTable rows={rows} run={bulk.run} />}
        </PagedList>
      </Card>
    </>
  );
}

function NothingMatches({ search }: { readonly search: EmailSearch }) {
  const navigate = useNavigate();
  const to = search.to ?? wholeAddress(search.search);
  return (
    <Empty icon="search" title="Nothing matches">
      <p>
        The search looks for words in recipients, names and subjects: any part of six characters or more, or
        the beginning of a word. Tags, templates and values of metadata are found whole, ids by their first
        eight characters.
      </p>
      {to && !to.startsWith('@') ? (
        <p>
          Refused mail is not listed here.{' '}
          <Link to="/logs" search={{ recipient: to }}>
            Search the refused requests for {to}
          </Link>
        </p>
      ) : null}
      <Button onClick={() => void navigate({ to: '/emails', search: {} })}>Clear the filters</Button>
    </Empty>
  );
}

function wholeAddress(text: string | undefined): string | undefined {
  return text !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined;
}

/** The whole row leads to the email, so pointing anywhere at it tells what was too long to be shown. */
function wholeOf({ to, subject }: EmailItem): string {
  return `${(to ?? []).map(({ email }) => email).join(', ')}\n${subject}`;
}

function EmailTable({ rows, run }: { readonly rows: readonly EmailItem[]; readonly run: RunBulk }) {
  const { change: mayChange } = useCan();
  const selection = useSelection(rows.map(({ id }) => id));
  return (
    <>
      {mayChange ? <SelectedEmails rows={rows} selection={selection} run={run} /> : null}
      <EmailRows rows={rows} selection={mayChange ? selection : null} />
    </>
  );
}

interface RowsProps {
  readonly rows: readonly EmailItem[];
  /** Null for those who may only read. */
  readonly selection: Selection | null;
}

function EmailRows({ rows, selection }: RowsProps) {
  return (
    <Table columns={['To', 'Subject', 'Status', 'Accepted']} selects={selection !== null}>
      {rows.map((row) => (
        <tr key={row.id}>
          {selection ? <SelectCell of={selection} id={row.id} name={wholeOf(row)} /> : null}
          <td className="wrap">
            <Link to="/emails/$id" params={{ id: row.id }} className="row-link" title={wholeOf(row)}>
              <Shortened text={row.to?.[0]?.email ?? row.id} />
            </Link>
            {row.to && row.to.length > 1 ? (
              <span className="quiet small"> and {row.to.length - 1} more</span>
            ) : null}
          </td>
          <td>
            <Shortened text={row.subject} />
          </td>
          <td>
            <EmailState email={row} />
            {row.next_attempt_at ? (
              <div className="quiet small one-line">
                next attempt <Expected at={row.next_attempt_at} />
              </div>
            ) : null}
          </td>
          <td className="quiet">
            <Time at={row.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
