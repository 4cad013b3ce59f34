/** Assembles tracking over HTTP: the open pixel, clicked links, and unsubscribe links. */
import type { FastifyPluginAsync } from 'fastify';
import { CHALLENGE_PATH } from '../certificates/challenge-routes.ts';
import type { Database } from '../database/database.ts';
import { urlOfHost } from '../domains/tracking/check-host.ts';
import { DomainTracking } from '../domains/tracking/domain-tracking.ts';
import { TrackingHosts } from '../domains/tracking/hosts.ts';
import type { TrackingDeps } from '../domains/tracking/service.ts';
import { KnownHosts } from '../http/known-hosts.ts';
import { createForeignName, type LinkHosts } from '../http/link-hosts.ts';
import type { UnauthenticatedQuotas } from '../http/unauthenticated-quotas.ts';
import { STS_PATH, stsHostOf } from '../protocols/dns/own-sts-policy.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';
import type { MailDomain } from '../protocols/message/address.ts';
import {
  CLICK_PATH,
  HOST_PATH,
  type LinkHost,
  PIXEL_PATH,
  UNSUBSCRIBE_PATH,
} from '../protocols/message/tracking-links.ts';
import { hostProof } from '../protocols/message/tracking-token.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { trackingProblem } from '../runtime/public-url.ts';
import { clickRoutes } from '../tracking/click-routes.ts';
import { hostRoutes } from '../tracking/host-routes.ts';
import { pixelRoutes } from '../tracking/pixel-routes.ts';
import { ClickRecorder, OpenRecorder } from '../tracking/recorders.ts';
import { unsubscribeRoutes } from '../tracking/unsubscribe-routes.ts';
import { outsideProbe } from './outside-urls.ts';

export interface Tracking {
  readonly opens: OpenRecorder;
  readonly clicks: ClickRecorder;
  readonly routes: readonly FastifyPluginAsync[];
  /** What is answered under customers' host names. */
  readonly linkHosts: LinkHosts;
}

export function createTracking(deps: {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics: Metrics;
  readonly ring: KeyRing;
  readonly unauthenticatedQuotas: UnauthenticatedQuotas;
}): Tracking {
  const { config, clock, db } = deps;
  const keys = deps.ring.keysFor('tracking');
  const opens = new OpenRecorder(deps);
  const clicks = new ClickRecorder(deps);
  const hosts = new TrackingHosts(db, steadyClock, (address) =>
    deps.unauthenticatedQuotas.take(address, 'hostLookUps'),
  );
  const foreignName = createForeignName(new KnownHosts(config));
  const stsHost = stsHostOf(config.hostname.toLowerCase());
  const isTrackingHost = (host: string, address: string) => hosts.has(host, address);
  const mayHaveCertificate = async (host: string, address: string) =>
    (config.inbound.sts.mode !== 'none' && host === stsHost) || isTrackingHost(host, address);
  const about = { keys, publicUrl: config.publicUrl, clock };
  return {
    opens,
    clicks,
    linkHosts: {
      paths: LINK_PATHS,
      foreignName,
      isOne: async (name, address) => name === stsHost || (await isTrackingHost(name, address)),
    },
    routes: [
      pixelRoutes({ ...about, record: opens.add.bind(opens) }),
      clickRoutes({ ...about, foreignName, record: clicks.add.bind(clicks) }),
      unsubscribeRoutes({ keys, db, clock }),
      hostRoutes({ keys, foreignName, mayHaveCertificate }),
    ],
  };
}

const LINK_PATHS = [PIXEL_PATH, CLICK_PATH, UNSUBSCRIBE_PATH, HOST_PATH, STS_PATH, CHALLENGE_PATH];

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

/** Assembles customers' tracking hosts in the same way for the API and the worker. */
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
