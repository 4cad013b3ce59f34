import type { WebhookDelivery } from '@postrider/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { List, OlderOnes } from '../../ui/list.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type DeliveryState, useDeliveries } from './queries.ts';

const FILTERS = [
  { key: 'all', label: 'All' },
  { key: 'pending', label: 'Pending' },
  { key: 'delivered', label: 'Delivered' },
  { key: 'failed', label: 'Failed' },
] as const;

const DAY_MS = 86_400_000;

/** What was sent in the last 30 days, with every attempt. */
export function DeliveryLog({ id }: { readonly id: string }) {
  const [filter, setFilter] = useChoice<DeliveryState | 'all'>('show', FILTERS, 'all');
  const log = useDeliveries(id, filter === 'all' ? null : filter);
  const rows = log.data?.pages.flatMap((page) => page.data);
  return (
    <Card
      title="Deliveries"
      flush
      actions={<Segments label="Show" options={FILTERS} chosen={filter} onChoose={setFilter} />}
    >
      <List
        of={log}
        rows={rows}
        empty={
          <Empty icon="webhooks" title="Nothing here yet">
            <p>Send a test, or send an email: every event shows up here with what your server answered.</p>
          </Empty>
        }
      >
        {(found) => found.map((row) => <Delivery key={row.id} webhookId={id} delivery={row} />)}
      </List>
      <div className="card-body row">
        <OlderOnes of={log} />
        {filter === 'failed' && rows?.length ? <ReplayAll id={id} /> : null}
      </div>
    </Card>
  );
}

function ReplayAll({ id }: { readonly id: string }) {
  const can = useCan();
  const say = useToast();
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => api.webhooks.replayFailed(id, new Date(Date.now() - 30 * DAY_MS).toISOString()),
    onSuccess: async () => {
      say('All failed deliveries are being sent again.');
      await client.invalidateQueries({ queryKey: ['webhooks', id] });
    },
    onError: (error) => say(messageOf(error), 'bad'),
  });
  return can.change ? (
    <Button busy={replay.isPending} onClick={() => replay.mutate()}>
      Replay all failed
    </Button>
  ) : null;
}

function Delivery({
  webhookId,
  delivery,
}: {
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
}) {
  const can = useCan();
  const say = useToast();
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => api.webhooks.replay(webhookId, delivery.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', webhookId] }),
    onError: (error) => say(messageOf(error), 'bad'),
  });
  return (
    <details className="delivery">
      <summary>
        <Status value={delivery.status} /> <span className="strong">{delivery.type}</span>{' '}
        <span className="quiet small">
          <Time at={delivery.created_at} />
        </span>
      </summary>
      <div className="stack-small details-body">
        <dl className="facts">
          <dt>Id</dt>
          <dd>
            <code>{delivery.id}</code>
          </dd>
          {delivery.email_id ? (
            <>
              <dt>Email</dt>
              <dd>
                <Link to="/emails/$id" params={{ id: delivery.email_id }}>
                  {delivery.email_id}
                </Link>
              </dd>
            </>
          ) : null}
        </dl>
        {delivery.attempts.map((attempt) => (
          <div key={attempt.at} className="small">
            <Time at={attempt.at} style="exact" />:{' '}
            {attempt.status === null ? 'no answer' : `answered ${attempt.status}`} in {attempt.latency_ms} ms
            {attempt.error ? `, ${attempt.error}` : ''}
            {attempt.response ? <pre className="code">{attempt.response}</pre> : null}
          </div>
        ))}
        {delivery.next_attempt_at ? (
          <div className="small quiet">
            Tried <Time at={delivery.next_attempt_at} />
          </div>
        ) : null}
        {can.change ? (
          <div>
            <Button size="small" icon="refresh" busy={replay.isPending} onClick={() => replay.mutate()}>
              Replay
            </Button>
          </div>
        ) : null}
      </div>
    </details>
  );
}
