/** Renders records for octoDNS: a YAML document for each zone, with keys in the order that octoDNS requires. */
import { stringify } from 'yaml';
import type { DnsExport, ExportedRecord } from './records.ts';
import { byZone, groupBy, TTL_SECONDS } from './zones.ts';

export function octodnsFile({ records, leftOut }: DnsExport): string {
  const skipped = leftOut.map(
    ({ type, name }) => `# ${name} ${type} is left out: a CNAME allows nothing else.\n`,
  );
  return byZone(records).map(documentOf).join('') + skipped.join('');
}

function documentOf([zone, records]: [string, readonly ExportedRecord[]]): string {
  const names = groupBy(records, ({ name }) => name.slice(0, -zone.length - 1));
  const sorted = [...names].toSorted(([a], [b]) => compareNaturally(a, b));
  const document = new Map(sorted.map(([name, own]) => [name, setsOf(own)]));
  const yaml = stringify(document, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 });
  return `---\n# ${zone}.yaml\n${yaml}`;
}

function setsOf(records: readonly ExportedRecord[]) {
  return [...groupBy(records, ({ type }) => type)].map(([type, own]) => {
    const common = { ttl: TTL_SECONDS, type };
    const values = own.map(dataOf);
    return type === 'CNAME' ? { ...common, value: values[0] } : { ...common, values };
  });
}

function dataOf({ type, value }: ExportedRecord) {
  if (type === 'CNAME') return `${value}.`;
  // octoDNS splits long values itself and requires every semicolon to be escaped.
  if (type === 'TXT') return value.replaceAll(';', '\\;');
  const [preference = '', exchange = ''] = value.split(' ');
  return { exchange: `${exchange}.`, preference: Number(preference) };
}

/** Natural order, in which `a2` precedes `a10`. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [a.split(/(\d+)/), b.split(/(\d+)/)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [one, other] = [left[at] ?? '', right[at] ?? ''];
    const difference = at % 2 === 1 ? Number(BigInt(one) - BigInt(other)) : compare(one, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
