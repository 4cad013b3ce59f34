/** What customers' tracking hosts need, put together the same way for the API and the worker. */
import { urlOfHost } from '../domains/tracking/check-host.ts';
import { DomainTracking } from '../domains/tracking/domain-tracking.ts';
import type { TrackingDeps } from '../domains/tracking/service.ts';
import type { Database } from '../kit/database/database.ts';
import type { Resolver } from '../kit/dns/resolver.ts';
import type { MailDomain } from '../kit/message/address.ts';
import { type Clock, steadyClock } from '../kit/runtime/clock.ts';
import type { Config } from '../kit/runtime/config.ts';
import { trackingProblem } from '../kit/runtime/public-url.ts';
import { outsideProbe } from './outside-urls.ts';

/** A change is seen by the worker within this time. */
const KEEP_MS = 5_000;

/** The address that links of mail from a domain begin with, where it has a host of its own that may be used. */
export function createHostUrls(db: Database, config: Config) {
  const tracking = new DomainTracking(db, steadyClock, KEEP_MS);
  return async (organizationId: string, domain: MailDomain): Promise<string | null> => {
    const host = (await tracking.of(organizationId, domain))?.host ?? null;
    return host === null ? null : urlOfHost(host, config.publicUrl);
  };
}

export function createHostChecking(deps: {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly resolver: Resolver;
}): TrackingDeps {
  const { config, db, clock, resolver } = deps;
  const isUsed = config.mode === 'live' && trackingProblem(config) === null;
  return {
    db,
    clock,
    resolver,
    probe: outsideProbe(config, clock),
    publicUrl: config.publicUrl,
    isUsed,
  };
}
