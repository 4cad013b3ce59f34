/** What lets people in, put together: sessions, their routes, and the log of who did what. */
import type { Database } from '../database/database.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import type { WriteAudit } from '../http/audit.ts';
import { KeyCache } from '../http/key-cache.ts';
import { KnownHosts } from '../http/known-hosts.ts';
import type { Reads } from '../http/reads.ts';
import { SessionGate } from '../http/session-gate.ts';
import { auditLogRoutes } from '../resources/audit-log/routes.ts';
import { createAuditWriter } from '../resources/audit-log/store.ts';
import type { SendingDeps } from '../resources/emails/sending.ts';
import { inviteRoutes } from '../resources/members/invite-routes.ts';
import { memberRoutes } from '../resources/members/routes.ts';
import type { AccountDeps } from '../resources/sessions/accounts.ts';
import { sessionRoutes } from '../resources/sessions/routes.ts';
import { createSessionLookUp } from '../resources/sessions/session.ts';
import { createAccountMailer } from '../resources/users/account-mail.ts';
import { KnownDevices } from '../resources/users/known-devices.ts';
import { Passwords, type ScryptCost } from '../resources/users/password.ts';
import { userRoutes } from '../resources/users/routes.ts';
import { SecondFactor, totpSecretBox } from '../resources/users/second-factor.ts';
import { SecondFactorCeiling } from '../resources/users/second-factor-ceiling.ts';
import { setUpToken } from '../resources/users/set-up.ts';
import { SignInFailures } from '../resources/users/sign-in-failures.ts';
import { SignInThrottle } from '../resources/users/sign-in-throttle.ts';
import { totpRoutes } from '../resources/users/totp-routes.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';

interface Deps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly steady?: Clock;
  readonly db: Database;
  readonly metrics: Metrics;
  /** How dear a password is to guess; only tests make it cheap. */
  readonly passwordCost?: ScryptCost;
}

export interface PeopleGate {
  readonly sessions: SessionGate;
  readonly hosts: KnownHosts;
  readonly audit: WriteAudit;
}

export function createPeopleGate({ config, db, clock, steady }: Deps): PeopleGate {
  const cache = new KeyCache(createSessionLookUp(db, clock), steady);
  return {
    sessions: new SessionGate(cache, config.publicUrl),
    hosts: new KnownHosts(config),
    audit: createAuditWriter(db, clock),
  };
}

export function accountSlices(
  deps: Deps & { readonly ring: KeyRing; readonly reads: Reads },
  { sessions }: PeopleGate,
  sending: SendingDeps,
): ApiRoutes[] {
  const { config, db, clock, log, metrics } = deps;
  const secrets = totpSecretBox(deps.ring);
  const sendMail = createAccountMailer(db, sending);
  const accounts: AccountDeps = {
    db,
    clock,
    log,
    gate: sessions,
    passwords: new Passwords(deps.passwordCost),
    secondFactor: new SecondFactor({ db, clock, secrets }),
    throttle: new SignInThrottle(clock),
    ceiling: new SecondFactorCeiling({ db, clock, log, sendMail }),
    devices: new KnownDevices(deps.ring.first.derive('known-devices')),
    failures: new SignInFailures({ db, clock, log, metrics }),
    sendMail,
    mode: config.mode,
    publicUrl: config.publicUrl,
    setUpToken: setUpToken(deps.ring.first),
  };
  return [
    sessionRoutes(accounts),
    userRoutes(accounts),
    totpRoutes(accounts),
    memberRoutes(accounts),
    inviteRoutes(accounts),
    auditLogRoutes(deps.reads),
  ];
}
