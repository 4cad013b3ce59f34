/** A test event that was sent: waits for what the endpoint makes of it. */
import { WEBHOOK_EVENT_TYPES, type WebhookDelivery, type WebhookEventType } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { quickPollMs } from '../../app/freshness.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Exchange } from './exchange.tsx';
import { deliveryQuery } from './queries.ts';

interface Props {
  readonly webhookId: string;
  readonly sent: WebhookDelivery;
  readonly busy: boolean;
  readonly onAgain: (type: WebhookEventType | null) => void;
  readonly onClose: () => void;
}

export function TestDialog({ webhookId, sent, busy, onAgain, onClose }: Props) {
  const [type, setType] = useState('');
  const chosen = WEBHOOK_EVENT_TYPES.find((one) => one === type) ?? null;
  return (
    <Dialog title="Test event" className="wide-dialog" onClose={onClose}>
      <div className="stack">
        <Outcome webhookId={webhookId} sent={sent} />
        <SelectField
          label="Event"
          hint="A made-up event in the format of the webhook."
          value={type}
          onChange={(event) => setType(event.target.value)}
        >
          <option value="">webhook.test</option>
          {WEBHOOK_EVENT_TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        <div className="row row-end">
          <Button busy={busy} onClick={() => onAgain(chosen)}>
            Send another
          </Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Outcome({ webhookId, sent }: { readonly webhookId: string; readonly sent: WebhookDelivery }) {
  const delivery = useQuery({
    ...deliveryQuery(webhookId, sent),
    refetchInterval: (query) => (query.state.data?.attempts.length ? false : quickPollMs(query)),
  });
  const attempt = delivery.data?.attempts.at(-1);
  return (
    <>
      <div className={`note ${attempt === undefined ? '' : attempt.error ? 'warn' : 'good'}`} role="status">
        <Icon name={attempt?.error ? 'alert' : 'webhooks'} />
        <span className="grow wrap">{inWords(attempt)}</span>
      </div>
      <ErrorNote error={delivery.error} onRetry={delivery.refetch} />
      {delivery.data && attempt ? <Exchange delivery={delivery.data} /> : null}
    </>
  );
}

function inWords(attempt: WebhookDelivery['attempts'][number] | undefined): string {
  if (attempt === undefined) return 'Sent. Waiting for the answer…';
  if (attempt.error === null)
    return `It works: your endpoint answered ${attempt.status} in ${attempt.latency_ms} ms.`;
  const again = attempt.next_attempt_at ? ' Postrider retries the call.' : '';
  return `The call failed: ${attempt.error}.${again}`;
}
