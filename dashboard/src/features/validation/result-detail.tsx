import type { ValidationResult } from '@postrider/sdk';
import { Badge, Status, words } from '../../ui/badge.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

const NAMES: Readonly<Record<keyof ValidationResult['checks'], string>> = {
  syntax: 'Syntax',
  mx: 'Mail hosts',
  dns: 'DNS',
  disposable: 'Disposable',
  role: 'Role',
  typo: 'Typo',
  free_provider: 'Provider',
  random: 'Random',
};

export function ResultDetail({ result }: { readonly result: ValidationResult }) {
  const checks = Object.entries(result.checks) as [
    keyof ValidationResult['checks'],
    { status: string; message: string },
  ][];
  return (
    <div className="columns">
      <Card
        title={<span className="wrap">{result.email}</span>}
        actions={<Status value={result.verdict} />}
        flush
      >
        <Table columns={['Check', 'Result', 'Explanation']} stacking={false}>
          {checks.map(([name, check]) => (
            <tr key={name}>
              <td className="strong">{NAMES[name]}</td>
              <td>
                <Status value={check.status} />
              </td>
              <td className="wrap">
                {check.message}
                {name === 'mx' ? <Hosts records={result.checks.mx.records} /> : null}
              </td>
            </tr>
          ))}
        </Table>
      </Card>
      <div className="stack">
        <Score result={result} />
        {result.suggestions.length > 0 ? (
          <Card title="Did you mean">
            {result.suggestions.map((address) => (
              <Copyable key={address} text={address} />
            ))}
          </Card>
        ) : null}
      </div>
    </div>
  );
}

function Hosts({
  records,
}: {
  readonly records: readonly { readonly priority: number; readonly exchange: string }[];
}) {
  if (records.length === 0) return null;
  return (
    <div className="quiet small">
      {records.map(({ priority, exchange }) => `${priority} ${exchange}`).join(', ')}
    </div>
  );
}

function Score({ result }: { readonly result: ValidationResult }) {
  return (
    <Card title="Risk score">
      <div className="stack-small">
        <div className="score number">{result.risk_score.toFixed(2)}</div>
        <p className="quiet small">From 0 to 1: from 0.3 it is risky, from 0.7 undeliverable.</p>{' '}
        {result.signals.length === 0 ? <p>No check found a problem.</p> : null}
        {result.signals.map(({ signal, kind, weight }) => (
          <div key={signal} className="spread">
            <span>{words(signal)}</span>
            <span className="row">
              <Badge>{kind === 'floor' ? 'at least' : 'adds'}</Badge>
              <span className="number">{weight.toFixed(2)}</span>
            </span>
          </div>
        ))}
        {result.signals.length > 1 ? (
          <p className="quiet small">
            Soft signals combine as 1 − (1−a)(1−b)…, and stay below 0.7 without a hard reason.
          </p>
        ) : null}
      </div>
    </Card>
  );
}
