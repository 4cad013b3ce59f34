/** The mail half of the sandbox, ready to be started by a worker. */
import type { Sql } from '../database/sql.ts';
import { decodeReturnPath } from '../message/return-path.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { SmtpPool } from '../smtp/pool.ts';
import { Aftermath } from './aftermath.ts';
import { SandboxReceiver } from './receiver.ts';
import { createReportActions } from './report-back.ts';

export interface SandboxOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly clock: Clock;
  /** The key and the host that this installation's return paths are made with. */
  readonly returnPathKey: Buffer;
  readonly returnPathHost: string;
  /** Where the inbound receiver listens; without it nothing ever comes back. */
  readonly inbound?: { readonly address: string; readonly port: number };
}

export function createSandbox(options: SandboxOptions): SandboxReceiver {
  const { db, log, clock, returnPathKey, returnPathHost } = options;
  const aftermath = createAftermath(options);
  return new SandboxReceiver({
    db,
    log,
    clock,
    identify: (mailFrom) => decodeReturnPath(mailFrom, returnPathKey, returnPathHost),
    ...(aftermath ? { aftermath } : {}),
  });
}

function createAftermath({ clock, log, returnPathHost, inbound }: SandboxOptions): Aftermath | undefined {
  if (inbound === undefined) return undefined;
  const pool = new SmtpPool({ clock, limits: { stopGraceMs: 0 } });
  const actions = createReportActions({ clock, pool, receiver: { name: returnPathHost, ...inbound } });
  return new Aftermath(actions, log, () => pool.stop());
}
