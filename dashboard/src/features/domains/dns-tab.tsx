/** The records of a domain, each of them once: those of its owner, and below them those of the operator. */
import type { Domain, DomainCheck } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useChoice } from '../../app/choice.ts';
import { Status } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { zoneFileQuery } from './queries.ts';
import { RecordFacts } from './record-facts.tsx';

const SHAPES = [
  { key: 'one', label: 'One by one' },
  { key: 'zone', label: 'As a zone file' },
] as const;

export function DnsTab({ domain }: { readonly domain: Domain }) {
  const [shape, setShape] = useChoice('records', SHAPES, 'one');
  const { required, recommended, operators } = recordsOf(domain);
  return (
    <div className="stack">
      <div className="spread">
        <h2>Your DNS records</h2>
        <Segments label="Show records" options={SHAPES} chosen={shape} onChoose={setShape} />
      </div>
      {shape === 'zone' ? <ZoneFile domain={domain.domain} /> : null}
      {shape === 'one' ? (
        <>
          {required.map((record) => (
            <RecordCard key={keyOf(record)} record={record} />
          ))}
          <h3>Recommended</h3>
          {recommended.map((record) => (
            <RecordCard key={keyOf(record)} record={record} />
          ))}
        </>
      ) : null}
      <OperatorsRecords records={operators} />
    </div>
  );
}

interface ShownRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly purpose: string | null;
  /** Null for records that Postrider does not check. */
  readonly check: DomainCheck | null;
}

const keyOf = ({ type, name }: Pick<ShownRecord, 'type' | 'name'>) => `${type} ${name}`;

/** A record that is checked and recommended is shown with both. */
function recordsOf({ checks, recommended_records: advised }: Domain) {
  const checked = checks.map((check): ShownRecord => {
    const { type, name, expected: value } = check;
    const same = advised.find((one) => keyOf(one) === keyOf(check));
    return { type, name, value, purpose: same?.purpose ?? null, check };
  });
  const isChecked = (record: Pick<ShownRecord, 'type' | 'name'>) =>
    checked.some((one) => keyOf(one) === keyOf(record));
  const unchecked = (by: Domain['recommended_records'][number]['published_by']) =>
    advised
      .filter((one) => one.published_by === by && !isChecked(one))
      .map((one): ShownRecord => ({ ...one, check: null }));
  const withCheck = (...names: readonly DomainCheck['record'][]) =>
    checked.filter(({ check }) => check !== null && names.includes(check.record));
  return {
    required: withCheck('dkim', 'spf'),
    recommended: [...withCheck('dmarc'), ...unchecked('domain_owner')],
    operators: [...withCheck('sending_host'), ...unchecked('operator')],
  };
}

const TITLES: Readonly<Record<DomainCheck['record'], string>> = {
  dkim: 'DKIM: proves that a message is yours',
  spf: 'SPF: allows this server to send for you',
  dmarc: 'DMARC: tells receivers what to do with forged mail',
  sending_host: 'SPF of the sending host',
};

function titleOf({ type, name, check }: ShownRecord): string {
  if (check !== null) return TITLES[check.record];
  if (name.startsWith('_smtp._tls.')) return 'TLS reports: how mail to you is encrypted';
  if (name.startsWith('bounces.')) return type === 'MX' ? 'Return path' : 'SPF of the return path';
  return `${type} record`;
}

function RecordCard({ record }: { readonly record: ShownRecord }) {
  const title = titleOf(record);
  return (
    <Card title={title} actions={record.check ? <Status value={record.check.status} /> : null}>
      <OneRecord record={record} title={title} />
    </Card>
  );
}

function OneRecord({ record, title }: { readonly record: ShownRecord; readonly title: string }) {
  const { check, purpose } = record;
  return (
    <div className="stack">
      <p>{check?.message ?? purpose}</p>
      <RecordFacts {...record} record={`record “${title}”`}>
        {check ? (
          <>
            <dt>Found</dt>
            <dd>
              {check.found.length === 0 ? <span className="quiet">nothing</span> : null}
              {check.found.map((value) => (
                <code key={value} className="wrap">
                  {value}
                </code>
              ))}
            </dd>
          </>
        ) : null}
      </RecordFacts>
    </div>
  );
}

/** Open while the operator has something to do. */
function OperatorsRecords({ records }: { readonly records: readonly ShownRecord[] }) {
  if (records.length === 0) return null;
  const isFailing = records.some(({ check }) => check?.status === 'fail' || check?.status === 'warn');
  return (
    <Card title="Records of the operator">
      <details open={isFailing}>
        <summary>
          The operator of this installation publishes {records.length} records once, for all domains
        </summary>
        <div className="stack details-body">
          {records.map((record) => (
            <section key={keyOf(record)} className="stack-small">
              <div className="spread">
                <h3>{titleOf(record)}</h3>
                {record.check ? <Status value={record.check.status} /> : null}
              </div>
              <OneRecord record={record} title={`${record.type} ${record.name}`} />
            </section>
          ))}
        </div>
      </details>
    </Card>
  );
}

function ZoneFile({ domain }: { readonly domain: string }) {
  const file = useQuery(zoneFileQuery(domain));
  return file.data === undefined ? (
    <QueryState of={file} />
  ) : (
    <div className="stack-small">
      <p>All records that are below {domain}, with those of tracking and inbound mail.</p>
      <CodeBlock label="Copy the zone file" text={file.data} />
    </div>
  );
}
