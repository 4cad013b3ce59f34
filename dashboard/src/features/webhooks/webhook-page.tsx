/** One webhook: its settings, its secret, and everything that was sent to it. */
import type { Webhook, WebhookEventType } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { FORMAT_NAMES } from './format-names.ts';
import { Health } from './health.tsx';
import { webhookQuery } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

export function WebhookPage() {
  const { id } = useParams({ from: '/app/webhooks/$id' });
  const webhook = useQuery(webhookQuery(id));
  const back = { to: '/webhooks', label: 'Webhooks' };
  if (!webhook.data)
    return (
      <>
        <PageHead title="Webhook" back={back} />
        <QueryState of={webhook} />
      </>
    );
  const { data } = webhook;
  return (
    <>
      <PageHead title={data.url} back={back} lead={data.description} actions={<Actions webhook={data} />} />
      <div className="stack">
        <Health webhook={data} />
        <DeliveryLog id={id} enabled={data.enabled} />
        <Details webhook={data} />
      </div>
    </>
  );
}

function Details({ webhook }: { readonly webhook: Webhook }) {
  return (
    <Card title="Details">
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <WebhookState webhook={webhook} />
        </dd>
        <dt>Format</dt>
        <dd>{FORMAT_NAMES[webhook.format]}</dd>
        <dt>Events</dt>
        <dd>{webhook.event_types === null ? 'all' : webhook.event_types.join(', ')}</dd>
        <dt>Streams</dt>
        <dd>{webhook.streams === null ? 'all' : webhook.streams.join(', ')}</dd>
        {webhook.previous_secret_expires_at ? (
          <>
            <dt>Previous secret</dt>
            <dd>
              also signs until <Time at={webhook.previous_secret_expires_at} style="exact" />
            </dd>
          </>
        ) : null}
        <dt>Added</dt>
        <dd>
          <Time at={webhook.created_at} style="exact" />
        </dd>
      </dl>
    </Card>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const can = useCan();
  const client = useQueryClient();
  const say = useToast();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const failed = (error: unknown) => say(messageOf(error), 'bad');
  const test = useMutation({
    mutationFn: (type: WebhookEventType | null) =>
      api.webhooks.sendTest(webhook.id, type === null ? {} : { type }),
    onSuccess: refresh,
    onError: failed,
  });
  const toggle = useMutation({
    mutationFn: () => api.webhooks.update(webhook.id, { enabled: !webhook.enabled }),
    onSuccess: refresh,
    onError: failed,
  });
  if (!can.change) return null;
  return (
    <>
      <Button
        kind="primary"
        busy={test.isPending}
        disabled={!webhook.enabled}
        onClick={() => test.mutate(null)}
      >
        Send a test
      </Button>
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
        {webhook.enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button onClick={() => setOpen('rotate')}>New secret</Button>
      <Button kind="danger" icon="trash" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {test.data ? (
        <TestDialog
          webhookId={webhook.id}
          sent={test.data}
          busy={test.isPending}
          onAgain={test.mutate}
          onClose={test.reset}
        />
      ) : null}
      {open === 'edit' ? <WebhookDialog webhook={webhook} onClose={() => setOpen(null)} /> : null}
      {open === 'rotate' ? (
        <ConfirmDialog
          title="Create a new secret?"
          action="Create secret"
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            setSecret((await api.webhooks.rotateSecret(webhook.id)).secret);
            await refresh();
          }}
        >
          Calls are signed with both secrets for 24 hours, then only with the new one.
        </ConfirmDialog>
      ) : null}
      {open === 'delete' ? <DeleteWebhook webhook={webhook} onClose={() => setOpen(null)} /> : null}
      {secret ? <SecretDialog secret={secret} rotated onClose={() => setSecret(null)} /> : null}
    </>
  );
}

function DeleteWebhook({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      action="Delete webhook"
      onClose={onClose}
      onConfirm={async () => {
        await api.webhooks.delete(webhook.id);
        client.removeQueries({ queryKey: ['webhooks', webhook.id] });
        await client.invalidateQueries({ queryKey: ['webhooks'], exact: true });
        await navigate({ to: '/webhooks' });
      }}
    >
      {webhook.url} is no longer called, and the log of its deliveries is deleted.
    </ConfirmDialog>
  );
}
