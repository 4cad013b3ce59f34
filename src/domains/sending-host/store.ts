/** The one writer of `sending_hosts`. */
import { type Sql, sql } from '../../database/sql.ts';

export interface HostFinding {
  /** The kind of check. */
  readonly about: string;
  readonly status: 'pass' | 'warn' | 'fail' | 'unknown';
  readonly message: string;
}

export interface SendingHost {
  readonly host: string;
  readonly findings: readonly HostFinding[];
}

/** Older results are ignored: the worker that made them has stopped or has another name. */
const MAX_AGE = `interval '1 day'`;

const upsert = sql(
  'sending_hosts.record',
  `INSERT INTO sending_hosts (host, checked_at, findings) VALUES ($1, now(), $2)
   ON CONFLICT (host) DO UPDATE SET checked_at = excluded.checked_at, findings = excluded.findings`,
  { home: 'control' },
);

const forget = sql(
  'sending_hosts.delete',
  `DELETE FROM sending_hosts WHERE checked_at < now() - ${MAX_AGE}`,
  { home: 'control' },
);

const select = sql<SendingHost>(
  'sending_hosts.list',
  `SELECT host, findings FROM sending_hosts WHERE checked_at >= now() - ${MAX_AGE} ORDER BY host`,
  { home: 'control' },
);

export async function recordSendingHost(db: Sql, { host, findings }: SendingHost): Promise<void> {
  await db.exec(upsert, [host, JSON.stringify(findings)]);
  await db.exec(forget);
}

export function listSendingHosts(db: Sql): Promise<SendingHost[]> {
  return db.many(select);
}
