/** Mail of agents that waits until somebody has looked at it, and what was decided before. */
import type { Approval } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { Status } from '../../ui/badge.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { type ApprovalsState, approvalsQuery } from './queries.ts';
import { recipientsWords } from './words.ts';

const OPTIONS: readonly { readonly key: ApprovalsState; readonly label: string }[] = [
  { key: 'waiting', label: 'Pending' },
  { key: 'decided', label: 'Decided' },
];

export function ApprovalsPage() {
  const search = useSearch({ from: '/app/approvals' });
  const navigate = useNavigate();
  const { state = 'waiting', page = 1 } = search;
  const approvals = useQuery(approvalsQuery(page, state));
  return (
    <>
      <PageHead
        title="Approvals"
        lead="Mail of API keys whose policy requires approval. An email is sent only after an owner or a member approves it."
        actions={
          <Segments
            label="Which mail"
            options={OPTIONS}
            chosen={state}
            onChoose={(key) =>
              navigate({ to: '/approvals', search: key === 'waiting' ? {} : { state: key } })
            }
          />
        }
      />
      <Card flush>
        <SavedViews list="approvals" />
        <PagedList
          of={approvals}
          nouns={['email', 'emails']}
          csv={{ name: 'approvals', rows: () => api.approvals.all({ state }) }}
          onPage={(next) => navigate({ to: '/approvals', search: { ...search, page: next } })}
          empty={<Nothing state={state} />}
        >
          {(rows) => <ApprovalTable approvals={rows} state={state} />}
        </PagedList>
      </Card>
    </>
  );
}

function Nothing({ state }: { readonly state: ApprovalsState }) {
  return (
    <Empty icon="check" title={state === 'waiting' ? 'No mail waits for approval' : 'No decisions yet'}>
      <p>
        Give an agent a key whose policy requires approval. Its mail then waits here for a decision.{' '}
        <Link to="/settings/api-keys">API keys</Link>
      </p>
    </Empty>
  );
}

interface TableProps {
  readonly approvals: readonly Approval[];
  readonly state: ApprovalsState;
}

function ApprovalTable({ approvals, state }: TableProps) {
  return (
    <Table columns={['Email', 'To', 'API key', state === 'waiting' ? 'Since' : 'Decided', 'State']}>
      {approvals.map((one) => (
        <tr key={one.id}>
          <td className="wrap">
            <Link to="/approvals/$id" params={{ id: one.id }} className="strong">
              {one.subject}
            </Link>
            <div className="quiet small">from {one.from.email}</div>
          </td>
          <td className="wrap" data-label="To">
            {recipientsWords(one)}
          </td>
          <td data-label="Sent with">{one.api_key_name ?? one.api_key_id}</td>
          <td className="quiet" data-label={state === 'waiting' ? 'Since' : 'Decided'}>
            <Time at={one.decided_at ?? one.requested_at} />
            {one.decided_by_name ? <div className="small">by {one.decided_by_name}</div> : null}
          </td>
          <td>
            <Status value={one.state} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
