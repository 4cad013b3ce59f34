/** Assembles user authentication: sessions, their routes, and the audit log. */

import { auditLogRoutes } from '../accounts/audit-log/routes.ts';
import { createAuditWriter } from '../accounts/audit-log/store.ts';
import { inviteRoutes } from '../accounts/members/invite-routes.ts';
import { memberRoutes } from '../accounts/members/routes.ts';
import { userRoutes } from '../accounts/sessions/account-routes.ts';
import { type AccountRoutesDeps, sessionPrincipal, sessionRoutes } from '../accounts/sessions/routes.ts';
import { findSignedIn } from '../accounts/sessions/session.ts';
import { sessionListRoutes } from '../accounts/sessions/session-list-routes.ts';
import { totpRoutes } from '../accounts/sessions/totp-routes.ts';
import { setUpToken } from '../accounts/users/first-user.ts';
import { KnownDevices } from '../accounts/users/known-devices.ts';
import { Passwords, type ScryptCost } from '../accounts/users/password.ts';
import { SecondFactor, totpSecretBox } from '../accounts/users/second-factor.ts';
import { SecondFactorCeiling } from '../accounts/users/second-factor-ceiling.ts';
import { SignInFailures } from '../accounts/users/sign-in-failures.ts';
import { SignInThrottle } from '../accounts/users/sign-in-throttle.ts';
import type { Database } from '../database/database.ts';
import type { Reads } from '../database/reads.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { KeyCache } from '../http/key-cache.ts';
import { KnownHosts } from '../http/known-hosts.ts';
import { SessionGate } from '../http/session-gate.ts';
import type { UnauthenticatedQuotas } from '../http/unauthenticated-quotas.ts';
import { createAccountMailer } from '../ingress/account-mailer.ts';
import type { WriteAudit } from '../runtime/audit-entry.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { SubmissionDeps } from '../submission/submit.ts';

interface Deps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly steady?: Clock;
  readonly db: Database;
  readonly metrics: Metrics;
  /** The cost of a password hash; only tests lower it. */
  readonly passwordCost?: ScryptCost;
}

export interface UserGate {
  readonly sessions: SessionGate;
  readonly hosts: KnownHosts;
  readonly audit: WriteAudit;
}

export function createUserGate({
  config,
  db,
  clock,
  steady,
  unauthenticatedQuotas,
}: Deps & { readonly unauthenticatedQuotas: UnauthenticatedQuotas }): UserGate {
  const cache = new KeyCache(
    async (hash) => {
      const found = await findSignedIn(db, clock, hash);
      return found && sessionPrincipal(found);
    },
    steady,
    unauthenticatedQuotas,
  );
  return {
    sessions: new SessionGate(cache, config.publicUrl),
    hosts: new KnownHosts(config),
    audit: createAuditWriter(db, clock),
  };
}

export function accountSlices(
  deps: Deps & { readonly ring: KeyRing; readonly reads: Reads },
  { sessions }: UserGate,
  submission: SubmissionDeps,
): ApiRoutes[] {
  const { config, db, clock, log, metrics } = deps;
  const secrets = totpSecretBox(deps.ring);
  const sendMail = createAccountMailer(db, submission);
  const accounts: AccountRoutesDeps = {
    db,
    clock,
    log,
    gate: sessions,
    passwords: new Passwords(deps.passwordCost),
    secondFactor: new SecondFactor({ db, clock, secrets }),
    throttle: new SignInThrottle({ db, clock, hashKey: deps.ring.first.derive('sign-in-attempts') }),
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
    sessionListRoutes(accounts),
    userRoutes(accounts),
    totpRoutes(accounts),
    memberRoutes(accounts),
    inviteRoutes(accounts),
    auditLogRoutes(deps.reads),
  ];
}
