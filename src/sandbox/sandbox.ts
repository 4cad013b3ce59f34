/** The sandbox's mail side, started by a worker. */
import type { Sql } from '../database/sql.ts';
import { decodeReturnPath } from '../protocols/message/return-path.ts';
import { SmtpPool } from '../protocols/smtp/pool.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DerivedKeys, withAnyKey } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import { createClickAction, createOpenAction } from './open-pixel.ts';
import { SandboxReceiver } from './receiver.ts';
import { createReportActions } from './report-back.ts';
import { SimulatedEvents } from './simulated-events.ts';

interface SandboxOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly clock: Clock;
  readonly returnPathKeys: DerivedKeys;
  readonly returnPathHost: string;
  /** The inbound receiver, and the public URL for opens and clicks; without both, no simulated event happens. */
  readonly inbound?: { readonly address: string; readonly port: number };
  readonly publicUrl?: string;
}

export function createSandbox(options: SandboxOptions): SandboxReceiver {
  const { db, log, clock, returnPathKeys, returnPathHost } = options;
  const simulatedEvents = createSimulatedEvents(options);
  return new SandboxReceiver({
    db,
    log,
    clock,
    identify: (mailFrom) =>
      withAnyKey(returnPathKeys, (key) => decodeReturnPath(mailFrom, key, returnPathHost)),
    ...(simulatedEvents ? { simulatedEvents } : {}),
  });
}

function createSimulatedEvents(options: SandboxOptions): SimulatedEvents | undefined {
  const { clock, log, returnPathHost, inbound, publicUrl } = options;
  if (inbound === undefined || publicUrl === undefined) return undefined;
  const pool = new SmtpPool({ clock, limits: { stopGraceMs: 0 } });
  const reports = createReportActions({ clock, pool, receiver: { name: returnPathHost, ...inbound } });
  const actions = { ...reports, open: createOpenAction(publicUrl), click: createClickAction(publicUrl) };
  return new SimulatedEvents(actions, log, () => pool.stop());
}
