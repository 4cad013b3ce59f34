/** Assembles tracking over HTTP: the open pixel, clicked links, and unsubscribe links. */
import type { FastifyPluginAsync } from 'fastify';
import { CHALLENGE_PATH } from '../certificates/challenge-routes.ts';
import type { Database } from '../database/database.ts';
import { TrackingHosts } from '../domains/tracking/hosts.ts';
import { KnownHosts } from '../http/known-hosts.ts';
import { createForeignName, type LinkHosts } from '../http/link-hosts.ts';
import type { UnauthenticatedQuotas } from '../http/unauthenticated-quotas.ts';
import { STS_PATH, stsHostOf } from '../protocols/dns/own-sts-policy.ts';
import { CLICK_PATH, HOST_PATH, PIXEL_PATH, UNSUBSCRIBE_PATH } from '../protocols/message/tracking-links.ts';
import type { Clock } from '../runtime/clock.ts';
import { steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { clickRoutes } from '../tracking/click-routes.ts';
import { hostRoutes } from '../tracking/host-routes.ts';
import { pixelRoutes } from '../tracking/pixel-routes.ts';
import { ClickRecorder, OpenRecorder } from '../tracking/recorders.ts';
import { unsubscribeRoutes } from '../tracking/unsubscribe-routes.ts';

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
