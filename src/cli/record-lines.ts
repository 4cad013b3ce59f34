/** DNS records to publish, for DNS providers' forms; long ones also in zone file format. */
import { needsSplit, zoneFileText } from '../protocols/dns/zone-file-text.ts';
import { table } from './table.ts';

interface ShownRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

export function recordLines(records: readonly ShownRecord[]): string[] {
  const cells = records.map(({ type, name, value }) => [type, name, value]);
  const long = records.filter(({ type, value }) => type === 'TXT' && needsSplit(value));
  return [
    ...table(['TYPE', 'NAME', 'VALUE'], cells),
    ...long.flatMap(({ name, value }) => [
      '',
      'In a zone file (BIND and others), a value of more than 255 characters is written as several strings:',
      `${name}. IN TXT ${zoneFileText(value)}`,
    ]),
  ];
}
