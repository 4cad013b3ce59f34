/** Where a domain wants its TLS reports: the TXT record at `_smtp._tls` (RFC 8460 section 3). Pure. */
import { type Address, parseAddress } from '../../protocols/message/address.ts';

export interface ReportDestinations {
  readonly mail: readonly Address[];
  readonly https: readonly string[];
}

const MAX_DESTINATIONS = 5;

/** Null where the domain wants no reports: it has no record, several records, or no usable destination. */
export function reportDestinations(records: readonly string[]): ReportDestinations | null {
  const ours = records.filter((record) => /^v=TLSRPTv1[ \t]*(;|$)/.test(record));
  if (ours.length !== 1) return null;
  const rua = /;[ \t]*rua[ \t]*=[ \t]*([^;]*)/.exec(ours[0] ?? '')?.[1] ?? '';
  const all = rua
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, MAX_DESTINATIONS);
  const mail = all.flatMap(mailbox);
  const https = all.filter((one) => /^https:\/\//i.test(one) && URL.canParse(one));
  return mail.length + https.length === 0 ? null : { mail, https };
}

function mailbox(uri: string): Address[] {
  const [, encoded] = /^mailto:([^?]+)/i.exec(uri) ?? [];
  const address = encoded === undefined ? undefined : parseAddress(decoded(encoded));
  return address?.ok === true ? [address] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
