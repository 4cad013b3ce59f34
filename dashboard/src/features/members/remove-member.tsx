/** Removing a member: what they made is listed, and ends with them unless the owner wants to keep it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeByMember, Member } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { words } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Check } from '../../ui/field.tsx';
import { Loading } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

export function RemoveMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [revoke, setRevoke] = useState(true);
  const made = useQuery({
    queryKey: ['members', member.id, 'made'],
    queryFn: () => api.members.made(member.id),
    gcTime: 0,
  });
  const madeAny = made.data !== undefined && countOf(made.data) > 0;
  return (
    <ConfirmDialog
      title={`Remove ${member.email}?`}
      action="Remove from the organization"
      onClose={onClose}
      onConfirm={async () => {
        await api.members.remove(member.id, { revoke: madeAny && revoke });
        await Promise.all([
          client.invalidateQueries({ queryKey: ['members'] }),
          client.invalidateQueries({ queryKey: ['api-keys'] }),
          client.invalidateQueries({ queryKey: ['webhooks'] }),
        ]);
      }}
    >
      <div className="stack">
        <p>Their sessions in this organization end within a second.</p>
        {made.isPending ? <Loading lines={2} /> : null}
        <ErrorNote error={made.error} onRetry={made.refetch} />
        {madeAny ? (
          <>
            <MadeList made={made.data} />
            <Check
              label="Revoke these keys and invites, and disable these webhooks"
              checked={revoke}
              onChange={(event) => setRevoke(event.target.checked)}
            />
            {revoke ? null : (
              <p className="quiet small">
                The keys, invites and webhooks keep working for everybody who has a key, an invite or an
                endpoint of a webhook.
              </p>
            )}
          </>
        ) : null}
        {made.data && !madeAny ? (
          <p className="quiet">This member created no keys, invites or webhooks that still work.</p>
        ) : null}
      </div>
    </ConfirmDialog>
  );
}

function countOf({ api_keys, invites, webhooks }: MadeByMember): number {
  return api_keys.length + invites.length + webhooks.length;
}

function MadeList({ made }: { readonly made: MadeByMember }) {
  return (
    <ul>
      {made.api_keys.map((key) => (
        <li key={key.id}>
          Key <strong>{key.name}</strong> (<code>{key.prefix}…</code>, {key.scope}),{' '}
          {key.last_used_at ? (
            <>
              last used <Time at={key.last_used_at} />
            </>
          ) : (
            'not used yet'
          )}
        </li>
      ))}
      {made.invites.map((invite) => (
        <li key={invite.id}>
          Invite of <strong>{invite.email}</strong> as {words(invite.role)}
        </li>
      ))}
      {made.webhooks.map((webhook) => (
        <li key={webhook.id}>
          Webhook to <code>{webhook.url}</code>
        </li>
      ))}
    </ul>
  );
}
