/** API keys: made, shown once, watched and revoked. */
import type { ApiKey } from '@postrider/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PagedList } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { CreateKey } from './create-key.tsx';

export function ApiKeysPage() {
  const can = useCan();
  const [page, setPage] = useState(1);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const keys = useQuery({
    queryKey: ['api-keys', page],
    queryFn: () => api.apiKeys.list({ page, limit: 25 }),
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
        lead="Your programs authenticate with these. Give each program its own key, so that you can revoke one without the others."
        actions={create}
      />
      <Card flush>
        <PagedList
          of={keys}
          nouns={['key', 'keys']}
          onPage={setPage}
          empty={
            <Empty icon="key" title="No key yet">
              <p>
                {' '}
                A key with the scope “send” can only send mail and look up what it sent. That is enough for
                most programs.{' '}
              </p>
              {create}
            </Empty>
          }
        >
          {(rows) => <KeyTable keys={rows} onRevoke={can.change ? setRevoking : null} />}
        </PagedList>
      </Card>
      {creating ? <CreateKey onClose={() => setCreating(false)} /> : null}
      {revoking ? <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} /> : null}
    </>
  );
}

function KeyTable({
  keys,
  onRevoke,
}: {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: ((key: ApiKey) => void) | null;
}) {
  return (
    <Table columns={['Name', 'Key', 'Scope', 'Last used', 'State']} actions="Actions">
      {keys.map((key) => (
        <tr key={key.id}>
          <td className="strong wrap">{key.name}</td>
          <td>
            <code>{key.prefix}…</code>
          </td>
          <td>
            {key.scope}
            {key.domain ? <span className="quiet small"> from {key.domain}</span> : null}
          </td>
          <td className="quiet">
            <Time at={key.last_used_at} none="never" />
          </td>
          <td>
            <KeyState apiKey={key} />
          </td>
          <td className="end">
            {onRevoke && !key.revoked_at ? (
              <Button
                size="small"
                kind="danger"
                onClick={() => onRevoke(key)}
                aria-label={`Revoke ${key.name}`}
              >
                Revoke
              </Button>
            ) : null}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  if (apiKey.revoked_at) return <Badge>revoked</Badge>;
  if (!apiKey.expires_at) return <Badge tone="good">active</Badge>;
  if (new Date(apiKey.expires_at) < new Date()) return <Badge>expired</Badge>;
  return (
    <span className="row">
      <Badge tone="good">active</Badge>
      <span className="quiet small">
        until <Time at={apiKey.expires_at} style="exact" />
      </span>
    </span>
  );
}

function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const say = useToast();
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      onClose={onClose}
      onConfirm={async () => {
        await api.apiKeys.revoke(apiKey.id);
        await client.invalidateQueries({ queryKey: ['api-keys'] });
        say(`${apiKey.name} was revoked.`);
      }}
    >
      Whatever uses <code>{apiKey.prefix}…</code> is refused within a second, and the key cannot be brought
      back.
    </ConfirmDialog>
  );
}
