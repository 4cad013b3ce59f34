import { Link } from '@tanstack/react-router';
import { words } from '../../ui/badge.tsx';
import { share, took } from '../../ui/figures.ts';
import { Empty } from '../../ui/page.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { StackedBar } from '../../ui/stacked-bar.tsx';
import { Table } from '../../ui/table.tsx';
import type { Deliverability, Dimension, Group } from './queries.ts';

const NAMES: Readonly<Record<Dimension, string>> = {
  provider: 'Provider',
  domain: 'Sending domain',
  template: 'Template',
  tag: 'Tag',
  stream: 'Stream',
  reason: 'Reason',
};

const NOTHING: Readonly<Record<Dimension, string>> = {
  provider: 'No mail was sent in this period.',
  domain: 'No mail was sent in this period.',
  template: 'No mail was sent from a template in this period.',
  stream: 'No mail was sent in this period.',
  tag: 'No mail with a tag was sent in this period.',
  reason: 'No mail was deferred or bounced in this period.',
};

export function NoGroups({ by }: { readonly by: Dimension }) {
  return (
    <Empty icon="deliverability" title="Nothing to show">
      <p>{NOTHING[by]}</p>
    </Empty>
  );
}

interface GroupTableProps extends Pick<Deliverability, 'by' | 'interval'> {
  readonly groups: readonly Group[];
}

export function GroupTable({ by, groups, interval }: GroupTableProps) {
  const ofReason = by === 'reason';
  const counts = ofReason
    ? ['Deferred', 'Bounced', 'Failed']
    : ['Sent', 'Delivered', 'Deferred', 'Bounced', 'Complaints', 'Median time', '95% within'];
  return (
    <Table columns={[NAMES[by], ...counts, 'Trend']}>
      {groups.map((group) => (
        <tr key={group.name}>
          <td className="strong wrap">
            <Name by={by} group={group} />
          </td>
          {ofReason ? <ReasonCells group={group} /> : <Cells group={group} />}
          <td data-label="Trend">
            <Trend group={group} interval={interval} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Cells({ group }: { readonly group: Group }) {
  const { sent, delivered, deferred, bounced, complained, rates } = group;
  return (
    <>
      <Count label="Sent" count={sent} />
      <Count label="Delivered" count={delivered} of={share(rates.delivered)} />
      <Count label="Deferred" count={deferred} of={share(rates.deferred)} />
      <Count label="Bounced" count={bounced} of={share(rates.bounced)} />
      <Count label="Complaints" count={complained} of={share(rates.complained)} />
      <td className="number" data-label="Median time">
        {took(group.p50_seconds)}
      </td>
      <td className="number" data-label="95% within">
        {took(group.p95_seconds)}
      </td>
    </>
  );
}

function ReasonCells({ group }: { readonly group: Group }) {
  return (
    <>
      <Count label="Deferred" count={group.deferred} />
      <Count label="Bounced" count={group.bounced} />
      <Count label="Failed" count={group.failed} />
    </>
  );
}

function Count({
  label,
  count,
  of,
}: {
  readonly label: string;
  readonly count: number;
  readonly of?: string;
}) {
  return (
    <td className="number" data-label={label}>
      {count.toLocaleString()}
      {of !== undefined && count > 0 ? <span className="quiet small"> {of}</span> : null}
    </td>
  );
}

/** Leads to the mail, where a list can be filtered by it. */
function Name({ by, group: { name, label } }: { readonly by: Dimension; readonly group: Group }) {
  if (name === '') return <span className="quiet">other</span>;
  if (by === 'domain')
    return (
      <Link to="/emails" search={{ from: `@${name}` }}>
        <Shortened text={name} />
      </Link>
    );
  if (by === 'tag' || by === 'stream')
    return (
      <Link to="/emails" search={{ [by]: name }}>
        <Shortened text={name} />
      </Link>
    );
  if (by === 'template')
    return (
      <Link to="/templates/$id" params={{ id: name }}>
        <Shortened text={label ?? name} />
      </Link>
    );
  return <Shortened text={by === 'reason' ? words(name) : name} />;
}

const WIDTH = 96;
const HEIGHT = 24;

/** What arrived, and above it what did not. */
function Trend({ group: { trend }, interval }: { readonly group: Group; readonly interval: 'hour' | 'day' }) {
  const points = trend.delivered.map((delivered, at) => ({
    at,
    delivered,
    other: (trend.deferred[at] ?? 0) + (trend.bounced[at] ?? 0),
  }));
  const most = Math.max(1, ...points.map(({ delivered, other }) => delivered + other));
  const step = WIDTH / Math.max(1, points.length);
  return (
    <svg
      className="chart"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`Delivered, and deferred or bounced, at most ${most.toLocaleString()} in one ${interval}`}
    >
      {points.map(({ at, delivered, other }) => (
        <StackedBar
          key={at}
          parts={[
            { kind: 'delivered', size: delivered },
            { kind: 'bounced', size: other },
          ]}
          x={at * step}
          width={step}
          y={(count) => HEIGHT * (1 - count / most)}
        />
      ))}
    </svg>
  );
}
