/** What was sent in the last 30 days, with every attempt. */
import { useState } from 'react';
import { useChoice } from '../../app/choice.ts';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { List, OlderOnes } from '../../ui/list.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { Delivery } from './delivery.tsx';
import { type DeliveryState, useDeliveries } from './queries.ts';
import { ReplayDialog } from './replay-dialog.tsx';

const FILTERS = [
  { key: 'all', label: 'All' },
  { key: 'pending', label: 'Pending' },
  { key: 'delivered', label: 'Delivered' },
  { key: 'failed', label: 'Failed' },
] as const;

export function DeliveryLog({ id, enabled }: { readonly id: string; readonly enabled: boolean }) {
  const can = useCan();
  const [filter, setFilter] = useChoice<DeliveryState | 'all'>('show', FILTERS, 'all');
  const [replaying, setReplaying] = useState(false);
  const log = useDeliveries(id, filter === 'all' ? null : filter);
  const rows = log.data?.pages.flatMap((page) => page.data);
  return (
    <Card
      title="Deliveries"
      flush
      actions={
        <div className="row">
          <Segments label="Show" options={FILTERS} chosen={filter} onChoose={setFilter} />
          {can.change && enabled ? (
            <Button size="small" icon="refresh" onClick={() => setReplaying(true)}>
              Replay several
            </Button>
          ) : null}
        </div>
      }
    >
      <List
        of={log}
        rows={rows}
        empty={
          <Empty icon="webhooks" title="No deliveries yet">
            <p>Send a test or an email. Every event is listed here with the response of your server.</p>
          </Empty>
        }
      >
        {(found) => found.map((row) => <Delivery key={row.id} webhookId={id} delivery={row} />)}
      </List>
      <div className="card-body row">
        <OlderOnes of={log} />
      </div>
      {replaying ? <ReplayDialog id={id} onClose={() => setReplaying(false)} /> : null}
    </Card>
  );
}
