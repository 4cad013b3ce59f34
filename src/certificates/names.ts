/** The host names that need certificates. Requests and TLS handshakes never add one. */

import type { Database } from '../database/database.ts';
import { verifiedTrackingHosts } from '../domains/tracking/store.ts';
import { stsHostOf } from '../protocols/dns/own-sts-policy.ts';
import { isCertifiable } from '../runtime/acme-config.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';

/** Names from the settings alone. The SMTP host is omitted when its certificate comes from files. */
export function configuredNames({ acme, publicUrl, hostname, inbound }: Config): string[] {
  const host = hostname.toLowerCase();
  const names = [
    new URL(publicUrl).hostname.toLowerCase(),
    ...(inbound.certificateFile === undefined ? [host] : []),
    ...(inbound.sts.mode === 'none' ? [] : [stsHostOf(host)]),
    ...(acme?.moreNames ?? []),
  ];
  return [...new Set(names)].filter(isCertifiable);
}

/** Adds hosts of verified domains that point here. A cell that does not answer is omitted in this round. */
export async function wantedNames(config: Config, { cells }: Database, log: Log): Promise<string[]> {
  const found = await Promise.all(
    cells.map(({ name, db }) =>
      verifiedTrackingHosts(db).catch((error: unknown) => {
        log.warn(
          { err: error, cell: name },
          'tracking hosts cannot be read; no certificate is ordered for them until they can be read',
        );
        return [];
      }),
    ),
  );
  return [...new Set([...configuredNames(config), ...found.flat().filter(isCertifiable)])];
}
