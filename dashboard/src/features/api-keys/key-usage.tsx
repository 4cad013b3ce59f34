import type { ApiKey } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

/** What a key was used for, day by day. */
export function KeyUsage({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const usage = useQuery({
    queryKey: ['api-keys', apiKey.id, 'usage'],
    queryFn: () => api.apiKeys.usage(apiKey.id, { days: 30 }),
  });
  const totals = usage.data?.totals;
  return (
    <Dialog title={`${apiKey.name}: the last 30 days`} onClose={onClose}>
      <div className="stack">
        {totals ? (
          <p>
            {totals.emails.toLocaleString()} emails with {totals.requests.toLocaleString()} requests, of which{' '}
            {totals.refused === 0 ? (
              'none was refused.'
            ) : (
              <Link to="/logs" search={{ key_id: apiKey.id }} onClick={onClose}>
                {totals.refused.toLocaleString()} were refused
              </Link>
            )}
          </p>
        ) : null}
        <List
          of={usage}
          rows={usage.data?.days.toReversed()}
          empty={
            <Empty icon="key" title="Not used in 30 days">
              <p>If nothing uses this key any more, revoke it.</p>
            </Empty>
          }
        >
          {(days) => (
            <Table columns={['Day (UTC)', 'Emails', 'Requests', 'Refused']} stacking={false}>
              {days.map(({ day, emails, requests, refused }) => (
                <tr key={day} className="number">
                  <td>{day}</td>
                  <td>{emails.toLocaleString()}</td>
                  <td>{requests.toLocaleString()}</td>
                  <td>{refused.toLocaleString()}</td>
                </tr>
              ))}
            </Table>
          )}
        </List>
      </div>
    </Dialog>
  );
}
