/** Who must not be mailed: search, add, remove, import, export. */
import { SUPPRESSION_REASONS, type Suppression } from '@postrider/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useListNavigation } from '../../app/list-navigation.ts';
import { changed, type SearchChanges } from '../../app/list-search.ts';
import { useCan } from '../../app/session.ts';
import { Status, words } from '../../ui/badge.tsx';
import type { RunBulk } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { SelectField } from '../../ui/field.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { SelectCell, useSelection } from '../../ui/selection.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { AddSuppression } from './add-suppression.tsx';
import { EraseAddress } from './erase-address.tsx';
import { ImportSuppressions } from './import-suppressions.tsx';
import { isWhole, type SuppressionSearch, suppressionsQuery } from './queries.ts';
import { RemoveSuppression } from './remove-suppression.tsx';
import { SelectedSuppressions, useSuppressionBulk } from './selected-suppressions.tsx';

export function SuppressionsPage() {
  const can = useCan();
  const search = useSearch({ from: '/app/suppressions' });
  const go = useListNavigation('/suppressions');
  const list = useQuery(suppressionsQuery(search));
  const bulk = useSuppressionBulk();
  const [open, setOpen] = useState<'add' | 'import' | 'erase' | null>(null);
  const asked = search.search ?? search.email;
  const filtered = asked !== undefined || search.reason !== undefined;
  const change = (changes: SearchChanges<SuppressionSearch>) => go(search, changed(search, changes));
  return (
    <>
      <PageHead
        title="Suppressions"
        lead="Addresses that are not mailed. Hard bounces and complaints are added automatically."
        actions={<Actions onOpen={setOpen} />}
      />
      <Card flush>
        <search className="filters">
          <SearchInput
            label="Address"
            placeholder="jane.doe, or example.org"
            value={asked}
            onSettled={(text) =>
              change(isWhole(text) ? { email: text, search: undefined } : { search: text, email: undefined })
            }
          />
          <SelectField
            label="Reason"
            value={search.reason ?? ''}
            onChange={(event) => change({ reason: event.target.value || undefined })}
          >
            <option value="">Any</option>
            {SUPPRESSION_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {words(reason)}
              </option>
            ))}
          </SelectField>
        </search>
        <SavedViews list="suppressions" />
        {bulk.note}
        <PagedList
          of={list}
          nouns={['address', 'addresses']}
          onPage={(page) => change({ page })}
          empty={
            filtered ? (
              <Empty icon="search" title="Not on the list">
                <p>{notOnTheList(search)}</p>
              </Empty>
            ) : (
              <Empty icon="suppressions" title="Nobody is suppressed">
                <p>
                  A mailbox that does not exist, or somebody who complains, is added to this list and never
                  mailed again, until you remove the entry. Coming from another service? Import its list, so
                  that you do not have to start over.
                </p>
                {can.change ? <Button onClick={() => setOpen('import')}>Import a list</Button> : null}
              </Empty>
            )
          }
        >
          {(rows) => <SuppressionTable rows={rows} run={bulk.run} />}
        </PagedList>
      </Card>
      {open === 'add' ? <AddSuppression onClose={() => setOpen(null)} /> : null}
      {open === 'erase' ? <EraseAddress onClose={() => setOpen(null)} /> : null}
      {open === 'import' ? <ImportSuppressions onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function notOnTheList({ email, search }: SuppressionSearch): string {
  if (email !== undefined) return `${email} may be mailed.`;
  return search === undefined ? 'No entry has this reason.' : `No address begins or ends with ${search}.`;
}

function Actions({ onOpen }: { readonly onOpen: (what: 'add' | 'import' | 'erase') => void }) {
  const can = useCan();
  const say = useToast();
  const save = useMutation({
    mutationFn: async () =>
      saveFile(new Blob([String(await api.suppressions.export())], { type: 'text/csv' }), 'suppressions.csv'),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  return (
    <>
      <Button icon="download" busy={save.isPending} onClick={() => save.mutate()}>
        Export
      </Button>
      {can.own ? <Button onClick={() => onOpen('erase')}>Erase an address</Button> : null}
      {can.change ? (
        <>
          <Button onClick={() => onOpen('import')}>Import</Button>
          <Button kind="primary" icon="plus" onClick={() => onOpen('add')}>
            Add an address
          </Button>
        </>
      ) : null}
    </>
  );
}

interface TableProps {
  readonly rows: readonly Suppression[];
  readonly run: RunBulk;
}

function SuppressionTable({ rows, run }: TableProps) {
  const can = useCan();
  const [removing, setRemoving] = useState<Suppression | null>(null);
  const selection = useSelection(rows.map(({ id }) => id));
  return (
    <>
      {can.change ? <SelectedSuppressions rows={rows} selection={selection} run={run} /> : null}
      {removing ? <RemoveSuppression entry={removing} onClose={() => setRemoving(null)} /> : null}
      <Table columns={['Address', 'Reason', 'How', 'Since']} selects={can.change} actions="Actions">
        {rows.map((row) => (
          <tr key={row.id}>
            {can.change ? <SelectCell of={selection} id={row.id} name={row.email} /> : null}
            <td className="strong wrap">{row.email}</td>
            <td>
              <Status value={row.reason} />
              {row.unsubscribe_group ? (
                <div className="quiet small wrap">only mail of the group {row.unsubscribe_group}</div>
              ) : null}
            </td>
            <td className="quiet">
              {row.email_id ? (
                <Link to="/emails/$id" params={{ id: row.email_id }}>
                  by this email
                </Link>
              ) : (
                row.source
              )}
              {row.cause ? `: ${words(row.cause)}` : ''}
            </td>
            <td className="quiet">
              <Time at={row.created_at} />
            </td>
            <td className="end">
              {can.change ? (
                <Button size="small" onClick={() => setRemoving(row)} aria-label={`Remove ${row.email}`}>
                  Remove
                </Button>
              ) : null}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
