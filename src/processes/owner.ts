/**
 * Ensures that the installation has an owner before other machines can reach it. In live mode the API must
 * not listen on public addresses without one: only the setup link would protect everybody's mail.
 */

import { adminOf, createFirstUser } from '../accounts/users/first-user.ts';
import { Passwords } from '../accounts/users/password.ts';
import { hasUsers } from '../accounts/users/store.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { isLoopback } from '../runtime/host-name.ts';
import type { Log } from '../runtime/log.ts';
import { RefusedStart } from '../runtime/refused-start.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { waitForSchema } from './check-cells.ts';

interface Deps {
  readonly db: Database;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

/** For the supervisor, which creates the user configured in the environment. */
export async function requireOwner({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<void> {
  if (config.mode === 'sandbox' || isLoopback(config.host) || config.adminEmail !== undefined) return;
  if (await hasUsers(db)) return;
  throw new RefusedStart(
    `In live mode it does not listen on ${config.host}, where others can reach it, before it has a first user. ` +
      'Set POSTRIDER_ADMIN_EMAIL and POSTRIDER_ADMIN_PASSWORD for this start; or start with ' +
      'POSTRIDER_HOST=127.0.0.1, create the first user with the link that is printed, and start again.',
  );
}

/**
 * For an API that runs alone. Does not wait for an unavailable database, because sign-up is impossible
 * meanwhile.
 */
export async function settleOwner(deps: Deps, giveUp: (error: unknown) => void): Promise<void> {
  try {
    await ownerOrRefusal(deps);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    void waitForSchema(deps.db, deps.log)
      .then(() => ownerOrRefusal(deps))
      .catch(giveUp);
  }
}

async function ownerOrRefusal(deps: Deps): Promise<void> {
  const { db, config, clock, log } = deps;
  const admin = adminOf(config);
  if (admin === null) return requireOwner(deps);
  await createFirstUser(db, clock, new Passwords(), admin).catch((error: unknown) => {
    // No organization exists yet; its creator restarts the API or uses the setup link.
    if (!(error instanceof ServiceError)) throw error;
    log.warn(error.message);
  });
}
