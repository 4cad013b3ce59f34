/** The names and addresses under which other mail servers see this installation. */
import { hostname } from 'node:os';
import type { Reader } from './config-reader.ts';

export interface IdentityConfig {
  readonly hostname: string;
  /** The source addresses of outgoing mail; the addresses of `hostname` when undefined. */
  readonly sendingAddresses: readonly string[] | undefined;
  /** The sender of TLS reports to recipients' domains; none are sent when undefined. */
  readonly tlsReportsFrom: string | undefined;
  /** The domain of a second DKIM signature beside the sender's; none when undefined. */
  readonly dkimDomain: string | undefined;
}

const MAILBOX = /^[a-z0-9_+.-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** The machine's name may contain characters that a mail server would refuse in EHLO. */
function machineName(): string {
  const name = hostname().toLowerCase();
  return HOST_NAME.test(name) ? name : 'localhost';
}

export function identityConfig(read: Reader): IdentityConfig {
  return {
    hostname: hostName(read),
    sendingAddresses: read.ipAddresses('POSTRIDER_SENDING_ADDRESSES'),
    dkimDomain: read.domain('POSTRIDER_DKIM_DOMAIN'),
    tlsReportsFrom: read.matching(
      'POSTRIDER_TLS_REPORTS_FROM',
      MAILBOX,
      'an address such as tls@example.org',
    ),
  };
}

function hostName(read: Reader): string {
  const expected = 'a host name such as mail.example.org';
  return read.matching('POSTRIDER_HOSTNAME', HOST_NAME, expected) ?? machineName();
}
