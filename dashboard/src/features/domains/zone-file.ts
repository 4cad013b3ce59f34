/** DNS records as a zone file wants them. */
interface ZoneRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** DNS strings hold 255 bytes; a longer value is split, and resolvers join it again. */
const LONGEST_STRING = 255;

export function zoneFile(records: readonly ZoneRecord[]): string {
  return records
    .map(({ type, name, value }) => `${name}. 3600 IN ${type} ${zoneValue(type, value)}`)
    .join('\n');
}

function zoneValue(type: string, value: string): string {
  if (type !== 'TXT') return value;
  const parts = value.match(new RegExp(`.{1,${LONGEST_STRING}}`, 'gs')) ?? [''];
  return parts.map((part) => `"${part.replace(/[\\"]/g, '\\$&')}"`).join(' ');
}
