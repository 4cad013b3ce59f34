/**
 * The records that an organization's domains need, without duplicates, for a file that DNS providers import. Pure.
 *
 * Where the last check found a record with more content than ours, that content is kept: an existing SPF record is
 * exported with its other senders, so that importing the file does not remove them.
 */
import type { ReceivingName } from '../../received/receiving-names.ts';
import { organizationalDomain } from '../dmarc.ts';
import {
  type DnsRecord,
  dmarcName,
  dnsRecords,
  type HostSts,
  type ReportsTo,
  recommendedRecords,
} from '../dns-records.ts';
import type { RotationRow } from '../rotation.ts';
import { presentRotation } from '../rotation-view.ts';
import type { DomainWithKey } from '../signing-keys.ts';
import type { DomainTrackingRow } from '../tracking/store.ts';

export interface ExportedRecord extends DnsRecord {
  /** The zone of the record. */
  readonly zone: string;
}

/** A domain with everything that its records depend on. */
export type DomainToExport = DomainWithKey & {
  readonly rotation: RotationRow | null;
  readonly tracking?: DomainTrackingRow | undefined;
};

export interface DnsExport {
  readonly records: readonly ExportedRecord[];
  /** Records that cannot coexist with a CNAME of the same name. */
  readonly leftOut: readonly ExportedRecord[];
}

export interface ExportSource {
  readonly rows: readonly DomainToExport[];
  readonly receiving: readonly Pick<ReceivingName, 'name' | 'domain_id'>[];
  /** The host that all SPF records include. */
  readonly host: string;
  /** The CNAME target of tracking hosts; null when recipients cannot reach tracked links. */
  readonly trackingTarget: string | null;
  readonly reportsTo: (row: DomainToExport) => ReportsTo;
  readonly sts: HostSts | null;
}

export interface ExportChoice {
  /** Limits the export to names at or below this one, which becomes the zone. */
  readonly zone?: string | undefined;
  /** Includes the records of the installation's own host, even if it is below another organization's domain. */
  readonly withHost?: boolean | undefined;
}

interface Wanted extends DnsRecord {
  /** Wins over a conflicting record. */
  readonly isNeeded: boolean;
}

export function exportRecords(source: ExportSource, choice: ExportChoice = {}): DnsExport {
  const wanted = source.rows.flatMap((row) => recordsOf(source, row, choice.withHost === true));
  const zoned = onceEach(wanted)
    .map((one) => ({ ...one, zone: choice.zone ?? organizationalDomain(withoutLabels(one.name)) }))
    .filter(({ name, zone }) => isWithin(name, zone))
    .toSorted(byZoneAndName);
  const names = cnameConflicts(zoned);
  const isLeftOut = (one: Wanted) => names.get(one.name)?.(one) ?? false;
  return {
    records: zoned.filter((one) => !isLeftOut(one)).map(plain),
    leftOut: zoned.filter(isLeftOut).map(plain),
  };
}

function recordsOf(source: ExportSource, row: DomainToExport, withHost: boolean): Wanted[] {
  const needed = [...keysAndSpf(source, row), ...trackingOf(source, row), ...receivingOf(source, row)];
  const advised = recommendedRecords(row.domain, source.host, source.reportsTo(row), source.sts)
    .filter(({ name }) => withHost || isWithin(name, row.domain))
    .flatMap((record) => asFound(row, record));
  return [
    ...needed.map((one) => ({ ...one, isNeeded: true })),
    ...advised.map(({ type, name, value }) => ({ type, name, value, isNeeded: false })),
  ];
}

/** Includes both keys during a rotation. */
function keysAndSpf({ host }: ExportSource, row: DomainToExport): DnsRecord[] {
  const { domain, selector, public_key, rotation } = row;
  const [dkim, spf] = dnsRecords({ domain, selector, publicKey: public_key }, host) as [DnsRecord, DnsRecord];
  const checked = row.checks?.find(({ record }) => record === 'spf')?.expected;
  const keys =
    rotation === null || rotation.status === 'finished'
      ? [dkim]
      : [presentRotation(row, rotation)].flatMap((one) => [one.dns_record, one.previous_dns_record]);
  return [...keys, { ...spf, value: checked ?? spf.value }];
}

function trackingOf({ trackingTarget }: ExportSource, { tracking }: DomainToExport): DnsRecord[] {
  const host = tracking?.host ?? null;
  if (host === null || trackingTarget === null) return [];
  return [{ type: 'CNAME', name: host, value: trackingTarget }];
}

function receivingOf({ receiving, host }: ExportSource, row: DomainToExport): DnsRecord[] {
  return receiving
    .filter(({ domain_id }) => domain_id === row.id)
    .map(({ name }) => ({ type: 'MX', name, value: `10 ${host}` }));
}

/** Exports a correct DMARC record as found; omits it when a parent domain's record applies. */
function asFound(row: DomainToExport, record: DnsRecord): DnsRecord[] {
  if (record.name !== dmarcName(row.domain)) return [record];
  const right = row.checks?.find((one) => one.record === 'dmarc' && one.status === 'pass');
  if (right === undefined) return [record];
  return right.name === record.name ? [{ ...record, value: right.expected }] : [];
}

/** One SPF and one DMARC record per name, and no duplicates of other records. Needed records win. */
function onceEach(wanted: readonly Wanted[]): Wanted[] {
  const found = new Map<string, Wanted>();
  for (const one of wanted.toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded))) {
    const key = `${one.type} ${one.name} ${SINGLE.exec(one.value)?.[0] ?? one.value}`;
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

const SINGLE = /^v=(spf1|DMARC1|TLSRPTv1|STSv1)\b/;

/**
 * A CNAME cannot coexist with other records: it is omitted if another record at its name is needed, otherwise the
 * others are.
 */
function cnameConflicts(all: readonly Wanted[]): Map<string, (one: Wanted) => boolean> {
  const aliases = all.filter(({ type }) => type === 'CNAME');
  return new Map(
    aliases.map(({ name }) => {
      const isOtherNeeded = all.some((one) => one.name === name && one.type !== 'CNAME' && one.isNeeded);
      return [name, (one: Wanted) => (one.type === 'CNAME') === isOtherNeeded];
    }),
  );
}

/** `_dmarc.example.org` belongs to the zone `example.org`. */
function withoutLabels(name: string): string {
  const labels = name.split('.');
  const last = labels.findLastIndex((label) => label.startsWith('_') || label === '*');
  return labels.slice(last + 1).join('.');
}

function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

function byZoneAndName(a: ExportedRecord, b: ExportedRecord): number {
  return (
    compare(a.zone, b.zone) ||
    compare(a.name.length, b.name.length) ||
    compare(a.name, b.name) ||
    compare(a.type, b.type) ||
    compare(a.value, b.value)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function plain({ zone, type, name, value }: ExportedRecord): ExportedRecord {
  return { zone, type, name, value };
}
