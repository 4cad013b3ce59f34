/** Where events are sent to. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

export function WebhooksPage() {
  const can = useCan();
  const webhooks = useQuery(webhooksQuery);
  const [adding, setAdding] = useState(false);
  const add = can.change ? (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      Add a webhook
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Postrider calls your URLs when something happens to your mail. Calls are signed as in Standard Webhooks."
        actions={add}
      />
      <Card flush>
        <List
          of={webhooks}
          rows={webhooks.data}
          csv="webhooks"
          empty={
            <Empty icon="webhooks" title="No webhook yet">
              <p>
                Receive events about your mail instead of polling for its status. A failed call is tried ten
                times over three days, and you can replay every event.
              </p>
              {add}
            </Empty>
          }
        >
          {(rows) => (
            <Table columns={['URL', 'Events', 'State', 'Added']}>
              {rows.map((webhook) => (
                <tr key={webhook.id}>
                  <td className="wrap">
                    <Link
                      to="/webhooks/$id"
                      params={{ id: webhook.id }}
                      className="row-link"
                      title={webhook.url}
                    >
                      <Shortened text={webhook.url} />
                    </Link>
                    {webhook.description ? <div className="quiet small">{webhook.description}</div> : null}
                  </td>
                  <td className="quiet">
                    {webhook.event_types === null ? 'all' : webhook.event_types.length}
                    {webhook.streams === null ? null : (
                      <div className="small wrap">in {webhook.streams.join(', ')}</div>
                    )}
                  </td>
                  <td>
                    <WebhookState webhook={webhook} />
                  </td>
                  <td className="quiet">
                    <Time at={webhook.created_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </List>
      </Card>
      {adding ? <WebhookDialog onClose={() => setAdding(false)} /> : null}
    </>
  );
}
