/**
 * Renders records as Terraform JSON: a local value that resources of any provider use with `for_each`. Providers
 * differ in the expected form of long TXT values, so the value is given both whole and as strings.
 */
import type { DnsExport, ExportedRecord } from './records.ts';
import { txtStrings } from './txt-strings.ts';
import { groupBy, TTL_SECONDS } from './zones.ts';

export function terraformFile({ records, leftOut }: DnsExport): string {
  const sets = groupBy(records, ({ name, type }) => `${name} ${type}`);
  const local = Object.fromEntries([...sets].map(([key, own]) => [key, setOf(own)]));
  const skipped = leftOut.map(
    ({ type, name, value }) =>
      `Left out, because a CNAME allows nothing else with its name: ${name} ${type} ${value}`,
  );
  // Terraform treats the key `//` as a comment.
  const file = { '//': ['DNS records for Postrider', ...skipped], locals: { postrider_dns_records: local } };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function setOf(records: readonly ExportedRecord[]) {
  const { zone, name, type } = records[0] as ExportedRecord;
  return {
    zone,
    name,
    type,
    ttl: TTL_SECONDS,
    values: records.map((one) => template(type === 'TXT' ? one.value : `${one.value}.`)),
    strings: type === 'TXT' ? records.map((one) => txtStrings(one.value).map(template)) : [],
  };
}

/** Escapes template syntax, which SPF macros resemble. */
function template(text: string): string {
  return text.replace(/([$%])\{/g, '$1$1{');
}
