/** What comes back from mail over HTTP, put together: the pixel, links that were followed, and the links to unsubscribe. */
import type { FastifyPluginAsync } from 'fastify';
import { TrackingHosts } from '../domains/tracking/hosts.ts';
import type { Database } from '../kit/database/database.ts';
import { CLICK_PATH, PIXEL_PATH, UNSUBSCRIBE_PATH } from '../kit/message/tracking-links.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import { steadyClock } from '../kit/runtime/clock.ts';
import type { Config } from '../kit/runtime/config.ts';
import type { KeyRing } from '../kit/runtime/key-ring.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Metrics } from '../kit/runtime/metrics.ts';
import { askRoutes } from '../tracking/ask-routes.ts';
import { ClickRecorder } from '../tracking/click-recorder.ts';
import { clickRoutes } from '../tracking/click-routes.ts';
import { OpenRecorder } from '../tracking/open-recorder.ts';
import { pixelRoutes } from '../tracking/pixel-routes.ts';
import { unsubscribeRoutes } from '../tracking/unsubscribe-routes.ts';

export interface Tracking {
  readonly opens: OpenRecorder;
  readonly clicks: ClickRecorder;
  readonly routes: readonly FastifyPluginAsync[];
  /** Those of customers. */
  readonly hosts: TrackingHosts;
}

export function createTracking(deps: {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics: Metrics;
  readonly ring: KeyRing;
}): Tracking {
  const { config, clock, db } = deps;
  const keys = deps.ring.keysFor('tracking');
  const opens = new OpenRecorder(deps);
  const clicks = new ClickRecorder(deps);
  const hosts = new TrackingHosts(db, steadyClock);
  const about = { keys, publicUrl: config.publicUrl, clock };
  return {
    opens,
    clicks,
    hosts,
    routes: [
      pixelRoutes({ ...about, record: opens.add.bind(opens) }),
      clickRoutes({ ...about, record: clicks.add.bind(clicks) }),
      unsubscribeRoutes({ keys, db, clock }),
      askRoutes((host) => hosts.pointsHere(host)),
    ],
  };
}

/** What is answered under the names of customers. */
export const LINK_PATHS = [PIXEL_PATH, CLICK_PATH, UNSUBSCRIBE_PATH];
