/** API keys: made, shown once, watched and revoked. */
import type { ApiKey } from '@postrider/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty, Loading, PageHead } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
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
        <ErrorNote error={keys.error} />
        {keys.isPending ? <Loading /> : null}
        {keys.data?.data.length === 0 ? (
          <Empty icon="key" title="No key yet">
            <p>
              A key with the scope “send” can only send mail and look up what it sent. That is enough for most
              programs.
            </p>
            {create}
          </Empty>
        ) : null}
        {keys.data && keys.data.data.length > 0 ? (
          <>
            <KeyTable keys={keys.data.data} onRevoke={can.change ? setRevoking : null} />
            <Pager
              page={page}
              pages={keys.data.pagination.total_pages}
              total={keys.data.pagination.total_count}
              noun={keys.data.pagination.total_count === 1 ? 'key' : 'keys'}
              onPage={setPage}
            />
          </>
        ) : null}
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
    <div className="table-scroll">
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Scope</th>
            <th scope="col">Last used</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
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
