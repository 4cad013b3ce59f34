/** A line of the log: what was told, and when it is opened, how. */
import type { WebhookDelivery } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/error-note.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Exchange } from './exchange.tsx';
import { deliveryQuery } from './queries.ts';

interface Props {
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
}

export function Delivery({ webhookId, delivery }: Props) {
  const [open, setOpen] = useState(false);
  const last = delivery.attempts.at(-1);
  const isRetrying = delivery.status === 'pending' && last !== undefined;
  return (
    <details className="delivery" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Status value={isRetrying ? 'retrying' : delivery.status} />{' '}
        <span className="strong">{delivery.type}</span>{' '}
        <span className="quiet small">
          <Time at={delivery.created_at} />
          {last?.error ? `, ${last.error}` : last ? `, answered ${last.status} in ${last.latency_ms} ms` : ''}
        </span>
        <Mail delivery={delivery} />
      </summary>
      {open ? <DeliveryDetail webhookId={webhookId} delivery={delivery} /> : null}
    </details>
  );
}

/** Whose mail the event is about, and which, so that a failed call can be found without opening each. */
function Mail({ delivery: { recipient, subject } }: Pick<Props, 'delivery'>) {
  if (recipient === null) return null;
  return <Shortened text={subject ? `${recipient} · ${subject}` : recipient} />;
}

function DeliveryDetail({ webhookId, delivery }: Props) {
  const whole = useQuery(deliveryQuery(webhookId, delivery));
  return (
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
        {delivery.next_attempt_at ? (
          <>
            <dt>Next attempt</dt>
            <dd>
              <Time at={delivery.next_attempt_at} />
            </dd>
          </>
        ) : null}
      </dl>
      {whole.data ? <Exchange delivery={whole.data} /> : <QueryState of={whole} lines={3} />}
      <Replay webhookId={webhookId} delivery={delivery} />
    </div>
  );
}

function Replay({ webhookId, delivery }: Props) {
  const can = useCan();
  const say = useToast();
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => api.webhooks.replay(webhookId, delivery.id),
    onSuccess: async () => {
      say('The event is being sent again.');
      await client.invalidateQueries({ queryKey: ['webhooks', webhookId] });
    },
    onError: (error) => say(messageOf(error), 'bad'),
  });
  if (!can.change || delivery.status === 'pending') return null;
  return (
    <div>
      <Button size="small" icon="refresh" busy={replay.isPending} onClick={() => replay.mutate()}>
        Replay
      </Button>
    </div>
  );
}
