/** Mail that is accepted and not sent: what is held, why, and what is to become of it. */
import type { Hold } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan, useMe } from '../../app/session.ts';
import type { RunBulk } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { SelectCell, type Selection, useSelection } from '../../ui/selection.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { LocalTimes, Time } from '../../ui/time.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { EndHold, mayEnd } from './end-hold.tsx';
import { doneOf, HoldState, nameOf } from './hold-words.tsx';
import { PlaceHold } from './place-hold.tsx';
import { type HoldsView, holdsQuery } from './queries.ts';
import { SelectedHolds, useHoldBulk } from './selected-holds.tsx';

const OPTIONS: readonly { readonly key: HoldsView; readonly label: string }[] = [
  { key: 'organization', label: 'Your holds' },
  { key: 'installation', label: 'Of operators' },
];

export function HoldsPage() {
  const { is_operator: isOperator } = useMe();
  const { change: mayChange } = useCan();
  const search = useSearch({ from: '/app/holds' });
  const navigate = useNavigate();
  const [placing, setPlacing] = useState(false);
  const { view, page = 1 } = search;
  const shown = isOperator && view ? view : 'organization';
  const holds = useQuery(holdsQuery(page, shown));
  const bulk = useHoldBulk();
  return (
    <>
      <PageHead
        title="Holds"
        lead="Held mail is accepted and not sent, until you release or discard it."
        actions={
          <>
            {isOperator ? (
              <Segments
                label="Whose holds"
                options={OPTIONS}
                chosen={view ?? 'organization'}
                onChoose={(key) =>
                  navigate({ to: '/holds', search: key === 'organization' ? {} : { view: key } })
                }
              />
            ) : null}
            {mayChange ? (
              <Button kind="primary" icon="hold" onClick={() => setPlacing(true)}>
                Hold mail
              </Button>
            ) : null}
          </>
        }
      />
      <Card flush>
        <SavedViews list="holds" />
        {bulk.note}
        <PagedList
          of={holds}
          nouns={['hold', 'holds']}
          csv={{ name: 'holds', rows: () => api.holds.all({ view: shown }) }}
          onPage={(page) => navigate({ to: '/holds', search: { ...search, page } })}
          empty={<NoHolds />}
        >
          {(rows) => <HoldTable holds={rows} run={bulk.run} mayChange={mayChange} isOperator={isOperator} />}
        </PagedList>
      </Card>
      {placing ? <PlaceHold isOperator={isOperator} onClose={() => setPlacing(false)} /> : null}
    </>
  );
}

function NoHolds() {
  return (
    <Empty icon="hold" title="Nothing is held">
      <p>
        Hold mail when something is wrong with it: a template with wrong prices, a list that went to the wrong
        people. Sending stops at once, no mail is lost, and you decide later whether to send the held mail.
      </p>
    </Empty>
  );
}

interface Rights {
  readonly mayChange: boolean;
  readonly isOperator: boolean;
}

interface TableProps extends Rights {
  readonly holds: readonly Hold[];
  readonly run: RunBulk;
}

function HoldTable({ holds, run, ...rights }: TableProps) {
  const { mayChange, isOperator } = rights;
  const endable = holds.filter((hold) => mayEnd(hold, isOperator)).map(({ id }) => id);
  const selection = useSelection(mayChange ? endable : []);
  // With nothing to select, the boxes would only take room.
  const selects = selection.all.length > 0;
  return (
    <>
      {selects ? <SelectedHolds holds={holds} selection={selection} run={run} /> : null}
      <Table
        columns={['Mail', 'State', 'Reason', 'Since']}
        selects={selects}
        actions={mayChange ? 'Actions' : undefined}
      >
        {holds.map((hold) => (
          <HoldRow key={hold.id} hold={hold} selection={selects ? selection : null} {...rights} />
        ))}
      </Table>
    </>
  );
}

interface RowProps extends Rights {
  readonly hold: Hold;
  readonly selection: Selection | null;
}

function HoldRow({ hold, selection, mayChange, isOperator }: RowProps) {
  return (
    <tr>
      {selection ? (
        <SelectCell
          of={selection}
          id={selection.all.includes(hold.id) ? hold.id : null}
          name={nameOf(hold)}
        />
      ) : null}
      <td className="wrap">
        <Link to="/holds/$id" params={{ id: hold.id }}>
          {nameOf(hold)}
        </Link>
        {hold.by_operator ? <div className="quiet small">by an operator</div> : null}
      </td>
      <td data-label="State">
        <HoldState hold={hold} />
        <div className="quiet small">{doneOf(hold)}</div>
      </td>
      <td className="wrap" data-label="Reason">
        <LocalTimes text={hold.reason} />
        <div className="quiet small">{hold.placed_by}</div>
      </td>
      <td className="quiet" data-label="Since">
        <Time at={hold.placed_at} />
      </td>
      {mayChange ? (
        <td className="end">{mayEnd(hold, isOperator) ? <EndHold id={hold.id} /> : null}</td>
      ) : null}
    </tr>
  );
}
