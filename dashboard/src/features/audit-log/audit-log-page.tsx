/** Who did what, in words. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { useListNavigation } from '../../app/list-navigation.ts';
import { Button } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { List, OlderOnes } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { AREAS, deedWords, detailWords } from './words.ts';

export interface AuditSearch {
  readonly action?: string;
  readonly actor_id?: string;
}

export function AuditLogPage() {
  const search: AuditSearch = useSearch({ from: '/app/settings/audit-log' });
  const go = useListNavigation('/settings/audit-log');
  const log = useInfiniteQuery({
    queryKey: ['audit-log', search],
    queryFn: ({ pageParam }) =>
      api.auditLog.list({ ...search, limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination.next_cursor,
  });
  const change = (changes: { action?: string | undefined; actor_id?: string | undefined }) => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => value);
    go(search, Object.fromEntries(next));
  };
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Every change by a person, a key or an operator, newest first."
        actions={<ExportButton name="audit-log" rows={() => api.auditLog.all(search)} />}
      />
      <Card flush>
        <Filters search={search} onChange={change} />
        <SavedViews list="audit_log" />
        <List
          of={log}
          rows={log.data?.pages.flatMap((page) => page.data)}
          empty={<Nothing filtered={Object.keys(search).length > 0} />}
        >
          {(rows) => <Entries entries={rows} onActor={(actor_id) => change({ actor_id })} />}
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

interface FilterProps {
  readonly search: AuditSearch;
  readonly onChange: (changes: { action?: string | undefined; actor_id?: string | undefined }) => void;
}

function Filters({ search, onChange }: FilterProps) {
  return (
    <search className="filters">
      <SelectField
        label="About"
        value={search.action ?? ''}
        onChange={(event) => onChange({ action: event.target.value || undefined })}
      >
        <option value="">Everything</option>
        {AREAS.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </SelectField>
      {search.actor_id ? (
        <div className="filter-actions">
          <Button onClick={() => onChange({ actor_id: undefined })}>Show everybody</Button>
        </div>
      ) : null}
    </search>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  return filtered ? (
    <Empty icon="search" title="No matching entries">
      <p>No entry of the log is about this subject.</p>
    </Empty>
  ) : (
    <Empty icon="book" title="Nothing has been changed yet">
      <p>Sign-ins, new keys, new domains, invites and all other changes are recorded here.</p>
    </Empty>
  );
}

interface EntriesProps {
  readonly entries: readonly AuditEntry[];
  readonly onActor: (id: string) => void;
}

const KINDS = { user: '', api_key: ' (key)', operator: ' (operator)' } as const;

function Entries({ entries, onActor }: EntriesProps) {
  return (
    <Table columns={['Time', 'User', 'Action', 'IP address']}>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td className="quiet">
            <Time at={entry.at} style="short" />
          </td>
          <td className="wrap">
            <button
              type="button"
              className="link-button"
              title="Show only their actions"
              onClick={() => onActor(entry.actor.id)}
            >
              {entry.actor.name || entry.actor.id}
            </button>
            <span className="quiet small">{KINDS[entry.actor.type]}</span>
          </td>
          <td className="wrap" title={entry.action}>
            {deedWords(entry.action)} <Target entry={entry} />
            <div className="quiet small">{detailWords(entry.details)}</div>
          </td>
          <td className="quiet wrap">{entry.address}</td>
        </tr>
      ))}
    </Table>
  );
}

/** An email is named by its id alone: nothing of its content is in the log. */
function Target({ entry: { action, target } }: { readonly entry: AuditEntry }) {
  if (!action.startsWith('email.') || target.id === null)
    return <span className="strong">{target.name ?? ''}</span>;
  return (
    <Link to="/emails/$id" params={{ id: target.id }}>
      <code>{target.id}</code>
    </Link>
  );
}
