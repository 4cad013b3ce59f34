/**
 * Scans received mail with the operator's scanners. A scanner without an answer never blocks mail: the mail is marked as not
 * scanned, and the log has the reason.
 */

import { type MailScans, NOT_SCANNED } from '../../../received/received-email.ts';
import type { Log } from '../../../runtime/log.ts';
import type { ScannersConfig } from '../../../runtime/smtp-config.ts';
import { askClamd } from './clamd.ts';
import { askRspamd } from './rspamd.ts';
import type { Scanned } from './scanned.ts';

const SCAN_MS = 20_000;

export interface ScanDeps {
  readonly scanners: ScannersConfig;
  readonly log: Log;
  readonly onScan?: (scanner: Scanner, result: MailScans['spam']['result']) => void;
  /** Set only by tests. */
  readonly timeMs?: number | undefined;
}

type Scanner = 'spam' | 'virus';

export async function scanMail(deps: ScanDeps, mail: Scanned): Promise<MailScans> {
  const { scanners, timeMs = SCAN_MS } = deps;
  const { rspamd, clamd } = scanners;
  const [spam, virus] = await Promise.all([
    rspamd === undefined
      ? NOT_SCANNED.spam
      : answered(
          deps,
          'spam',
          { ...NOT_SCANNED.spam, result: 'unavailable' },
          askRspamd(rspamd, mail, timeMs),
        ),
    clamd === undefined
      ? NOT_SCANNED.virus
      : answered(
          deps,
          'virus',
          { ...NOT_SCANNED.virus, result: 'unavailable' },
          askClamd(clamd, mail.raw, timeMs),
        ),
  ]);
  return { spam, virus };
}

async function answered<T extends { readonly result: MailScans['spam']['result'] }>(
  { log, onScan }: ScanDeps,
  scanner: Scanner,
  unavailable: T,
  asking: Promise<T>,
): Promise<T> {
  const found = await asking.catch((error: unknown) => {
    log.warn({ err: error, scanner }, 'a scanner did not answer about received mail');
    return unavailable;
  });
  onScan?.(scanner, found.result);
  return found;
}
