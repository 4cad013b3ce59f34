/** Assembles customers' tracking hosts in the same way for the API and the worker. */

import type { Database } from '../database/database.ts';
import { urlOfHost } from '../domains/tracking/check-host.ts';
import { DomainTracking } from '../domains/tracking/domain-tracking.ts';
import type { TrackingDeps } from '../domains/tracking/service.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';
import type { MailDomain } from '../protocols/message/address.ts';
import type { LinkHost } from '../protocols/message/tracking-links.ts';
import { hostProof } from '../protocols/message/tracking-token.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { trackingProblem } from '../runtime/public-url.ts';
import { outsideProbe } from './outside-urls.ts';

/** The worker sees a change within this time. */
const KEEP_MS = 5_000;

/** The host for links in a domain's mail, if the domain has a usable one. */
export function createLinkHosts(db: Database, config: Config) {
  const tracking = new DomainTracking(db, steadyClock, KEEP_MS);
  return async (organizationId: string, domain: MailDomain): Promise<LinkHost | null> => {
    const name = (await tracking.of(organizationId, domain))?.host ?? null;
    return name === null || !areUsed(config) ? null : { name, url: urlOfHost(name, config.publicUrl) };
  };
}

export function createHostChecking(deps: {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly ring: KeyRing;
}): TrackingDeps {
  const { config, db, clock, resolver } = deps;
  const keys = deps.ring.keysFor('tracking');
  return {
    db,
    clock,
    resolver,
    // In a private network our own address may use http, and then tracking hosts do as well.
    probe: outsideProbe(config, clock, { plainHttp: config.publicUrl.startsWith('http:') }),
    proofOf: (host) => hostProof(host, keys.at(clock.nowMs())),
    publicUrl: config.publicUrl,
    isUsed: areUsed(config),
  };
}

/** In the sandbox no DNS points to us, and where recipients cannot use links, their host does not matter. */
function areUsed(config: Config): boolean {
  return config.mode === 'live' && trackingProblem(config) === null;
}
