/** API keys: made, shown once, watched and revoked. */
import type { ApiKey } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { keptFresh } from '../../app/freshness.ts';
import { useOpenDialog } from '../../app/open-dialog.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreateKey } from './create-key.tsx';
import { EditPolicy } from './edit-policy.tsx';
import { KeyUsage } from './key-usage.tsx';
import { policyWords } from './policy-fields.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { scopeOf } from './scopes.ts';

export function ApiKeysPage() {
  const can = useCan();
  const [page, setPage] = useState(1);
  const [creating, setCreating] = useOpenDialog('new');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const keys = useQuery({
    queryKey: ['api-keys', page],
    queryFn: () => api.apiKeys.list({ page, limit: 25 }),
    ...keptFresh({ changedBy: ['queued'] }),
  });
  const create = can.change ? (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title="API keys"
        lead="Your programs authenticate with API keys. Give each program its own key, so that you can revoke one without the others."
        actions={create}
      />
      <Card flush>
        <PagedList
          of={keys}
          nouns={['key', 'keys']}
          csv={{ name: 'api-keys', rows: () => api.apiKeys.all() }}
          onPage={setPage}
          empty={
            <Empty icon="key" title="No key yet">
              <p>A key that can only send mail and look up its own mail is enough for most programs.</p>
              {create}
            </Empty>
          }
        >
          {(rows) => <KeyTable keys={rows} onChoose={setChosen} />}
        </PagedList>
      </Card>
      {creating ? <CreateKey onClose={() => setCreating(false)} /> : null}
      {chosen ? <ChosenKey chosen={chosen} onClose={() => setChosen(null)} /> : null}
    </>
  );
}

/** What is to be done with which key. */
interface Chosen {
  readonly apiKey: ApiKey;
  readonly to: 'revoke' | 'rotate' | 'see' | 'restrict';
}

function ChosenKey({ chosen, onClose }: { readonly chosen: Chosen; readonly onClose: () => void }) {
  const { apiKey, to } = chosen;
  if (to === 'revoke') return <RevokeKey apiKey={apiKey} onClose={onClose} />;
  if (to === 'rotate') return <RotateKey apiKey={apiKey} onClose={onClose} />;
  if (to === 'restrict') return <EditPolicy apiKey={apiKey} onClose={onClose} />;
  return <KeyUsage apiKey={apiKey} onClose={onClose} />;
}

interface TableProps {
  readonly keys: readonly ApiKey[];
  readonly onChoose: (chosen: Chosen) => void;
}

function KeyTable({ keys, onChoose }: TableProps) {
  return (
    <Table columns={['Name', 'Key', 'Access', 'Last used', 'Last 30 days', 'State']} actions="Actions">
      {keys.map((key) => (
        <tr key={key.id}>
          <td className="wrap">
            <span className="strong">{key.name}</span>
            <div className="quiet small">
              {' '}
              created <Time at={key.created_at} />
              {creatorOf(key)}
            </div>
          </td>
          <td>
            <code>{key.prefix}…</code>
            <div className="small">
              <Link to="/emails" search={{ api_key_id: key.id }}>
                Sent emails<span className="visually-hidden">: {key.name}</span>
              </Link>
            </div>
          </td>
          <td title={scopeOf(key.scope).words}>
            {scopeOf(key.scope).label}
            {key.domain ? <div className="quiet small">only from {key.domain}</div> : null}
            <PolicyNote apiKey={key} />
          </td>
          <td className="quiet" data-label="Last used">
            <Time at={key.last_used_at} none="not yet" />
          </td>
          <td data-label="Last 30 days">
            <button
              type="button"
              className="link-button"
              onClick={() => onChoose({ apiKey: key, to: 'see' })}
            >
              {emailsWords(key.last_30_days.emails)}
              <span className="visually-hidden"> with {key.name}</span>
            </button>
          </td>
          <td>
            <KeyState apiKey={key} />
          </td>
          <td className="end">
            <KeyActions apiKey={key} onChoose={onChoose} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function creatorOf(key: ApiKey): string {
  if (key.created_by_key !== null) return ` over the API, with the key ${key.created_by_key_name}`;
  return key.created_by === null ? ' by the operator' : ` by ${key.created_by_name ?? 'a deleted user'}`;
}

function PolicyNote({ apiKey: { policy, budget_used: used } }: { readonly apiKey: ApiKey }) {
  if (policy === null) return null;
  return (
    <div className="quiet small wrap">
      {policyWords(policy)}
      {policy.daily_budget === null
        ? null
        : `; ${(used ?? 0).toLocaleString()} of ${policy.daily_budget.toLocaleString()} today`}
    </div>
  );
}

function emailsWords(count: number): string {
  return count === 1 ? '1 email' : `${count.toLocaleString()} emails`;
}

function KeyActions({
  apiKey,
  onChoose,
}: {
  readonly apiKey: ApiKey;
  readonly onChoose: TableProps['onChoose'];
}) {
  const can = useCan();
  if (!can.change) return null;
  if (apiKey.revoked_at !== null)
    return (
      <Button
        size="small"
        onClick={() => onChoose({ apiKey, to: 'revoke' })}
        aria-label={`Mail of ${apiKey.name}`}
      >
        Mail
      </Button>
    );
  if (hasEnded(apiKey)) return null;
  return (
    <span className="row row-end">
      {apiKey.scope === 'agent' || apiKey.scope === 'send' ? (
        <Button
          size="small"
          onClick={() => onChoose({ apiKey, to: 'restrict' })}
          aria-label={`Policy of ${apiKey.name}`}
        >
          Policy
        </Button>
      ) : null}
      {apiKey.replaced_by === null ? (
        <Button
          size="small"
          onClick={() => onChoose({ apiKey, to: 'rotate' })}
          aria-label={`Rotate ${apiKey.name}`}
        >
          Rotate
        </Button>
      ) : null}
      <Button
        size="small"
        kind="danger"
        onClick={() => onChoose({ apiKey, to: 'revoke' })}
        aria-label={`Revoke ${apiKey.name}`}
      >
        Revoke
      </Button>
    </span>
  );
}

function hasEnded({ revoked_at, expires_at }: ApiKey): boolean {
  return revoked_at !== null || (expires_at !== null && new Date(expires_at) < new Date());
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  if (apiKey.revoked_at) return <Badge>revoked</Badge>;
  if (!apiKey.expires_at) return <Badge tone="good">active</Badge>;
  if (hasEnded(apiKey)) return <Badge>{apiKey.replaced_by ? 'replaced' : 'expired'}</Badge>;
  return (
    <span className="row">
      <Badge tone={apiKey.replaced_by ? 'warn' : 'good'}>
        {apiKey.replaced_by ? 'being replaced' : 'active'}
      </Badge>
      <span className="quiet small">
        until <Time at={apiKey.expires_at} style="exact" />
      </span>
    </span>
  );
}
