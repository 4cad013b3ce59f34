/** The mail half of the sandbox, ready to be started by a worker. */
import type { Sql } from '../database/sql.ts';
import { decodeReturnPath } from '../message/return-path.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { SandboxReceiver } from './receiver.ts';

export interface SandboxOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly clock: Clock;
  /** The key and the host that this installation's return paths are made with. */
  readonly returnPathKey: Buffer;
  readonly returnPathHost: string;
}

export function createSandbox({
  db,
  log,
  clock,
  returnPathKey,
  returnPathHost,
}: SandboxOptions): SandboxReceiver {
  return new SandboxReceiver({
    db,
    log,
    clock,
    identify: (mailFrom) => decodeReturnPath(mailFrom, returnPathKey, returnPathHost),
  });
}
