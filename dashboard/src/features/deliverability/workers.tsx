import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Card } from '../../ui/page.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type Worker, workersQuery } from './queries.ts';

export function Workers() {
  const workers = useQuery(workersQuery);
  const isNobody = workers.data !== undefined && !workers.data.some(({ alive }) => alive);
  return (
    <Card title="Workers" flush>
      {isNobody ? (
        <div className="card-body">
          <div className="note bad" role="alert">
            <Icon name="alert" />
            <span>
              No worker is running, so no mail is sent. Accepted mail stays queued until a worker starts.
            </span>
          </div>
        </div>
      ) : null}
      <List of={workers} rows={workers.data} csv="workers" empty={null} lines={2}>
        {(rows) => <WorkerTable workers={rows} />}
      </List>
    </Card>
  );
}

function WorkerTable({ workers }: { readonly workers: readonly Worker[] }) {
  return (
    <Table columns={['Worker', 'State', 'Last heartbeat', 'Started']}>
      {workers.map(({ id, host, pid, alive, heartbeat_age_seconds: age, started_at }) => (
        <tr key={id}>
          <td className="strong wrap">
            <Shortened text={host === null ? `Worker ${id}` : `${host}, process ${pid}`} />
          </td>
          <td>{alive ? <Badge tone="good">running</Badge> : <Badge tone="bad">silent</Badge>}</td>
          <td className="number" data-label="Last heartbeat">
            {age < 10 ? age.toFixed(1) : Math.round(age).toLocaleString()} s ago
          </td>
          <td className="quiet" data-label="Started">
            <Time at={started_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
