/** Starts the built-in receiver, the destination of all sandbox mail. */

import type { Database } from '../database/database.ts';
import { createFixedRouter, type Router } from '../delivery/transports/router.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { localAddress } from '../runtime/host-name.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { createSandbox } from '../sandbox/sandbox.ts';

interface SandboxParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly ring: KeyRing;
}

/** The receiver is on this machine and has no provider limits. */
const SANDBOX_CONNECTIONS = 20;

export async function startSandboxRouter(
  { db, log, clock, config, ring }: SandboxParts,
  lifecycle: Lifecycle,
): Promise<{ readonly router: Router; readonly port: number }> {
  const sandbox = createSandbox({
    db,
    log,
    clock,
    returnPathKeys: ring.keysFor('return-path'),
    returnPathHost: config.hostname,
    inbound: { address: localAddress(config.inbound.host), port: config.inbound.port },
    publicUrl: config.publicUrl,
  });
  await lifecycle.start(sandbox);
  const { host, address, port } = sandbox;
  const target = { host, address, port, tls: 'never' as const, ehloName: config.hostname };
  return { router: createFixedRouter({ ...target, maxConnections: SANDBOX_CONNECTIONS }), port };
}
