/** Renders records as a zone file (RFC 1035, 5) with absolute names, so that one file can contain several zones. */
import type { DnsExport, ExportedRecord } from './records.ts';
import { quotedTxt } from './txt-strings.ts';
import { byZone, TTL_SECONDS } from './zones.ts';

export function zoneFile({ records, leftOut }: DnsExport): string {
  const zones = byZone(records).flatMap(([zone, own]) => ['', `; ${zone}`, ...own.map(line)]);
  const skipped = leftOut.map((one) => `; ${line(one)}`);
  const why = '; Left out, because a CNAME allows nothing else with its name:';
  return `${['; DNS records for Postrider', ...zones, ...(skipped.length === 0 ? [] : ['', why, ...skipped])].join('\n')}\n`;
}

function line(record: ExportedRecord): string {
  return [`${record.name}.`, TTL_SECONDS, 'IN', record.type, dataOf(record)].join('\t');
}

function dataOf({ type, value }: ExportedRecord): string {
  return type === 'TXT' ? quotedTxt(value) : `${value}.`;
}
