/** What comes back from mail over HTTP, put together: the pixel, and the links to unsubscribe. */
import type { FastifyPluginAsync } from 'fastify';
import { perCell } from '../cells/per-cell.ts';
import type { Open } from '../emails/opens.ts';
import type { Database } from '../kit/database/database.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import type { Config } from '../kit/runtime/config.ts';
import type { KeyRing } from '../kit/runtime/key-ring.ts';
import { closing, type Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Metrics } from '../kit/runtime/metrics.ts';
import { createOpenMetrics } from '../tracking/open-metrics.ts';
import { OpenRecorder } from '../tracking/open-recorder.ts';
import { pixelRoutes } from '../tracking/pixel-routes.ts';
import { unsubscribeRoutes } from '../tracking/unsubscribe-routes.ts';

export interface Tracking {
  readonly opens: Service;
  readonly routes: readonly FastifyPluginAsync[];
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
  const recorders: OpenRecorder[] = [];
  const numbers = createOpenMetrics(deps.metrics, () =>
    recorders.reduce((sum, { waiting }) => sum + waiting, 0),
  );
  const recorderOf = perCell(db, (cell) => {
    const made = new OpenRecorder({ db: cell, log: deps.log, numbers });
    recorders.push(made);
    return made;
  });
  const record = (open: Open) => {
    try {
      recorderOf(open.organizationId).add(open);
    } catch {
      numbers.dropped(1); // it is not known yet who is where; the pixel is answered all the same
    }
  };
  const stop = async () => void (await Promise.all(recorders.map((one) => one.stop())));
  return {
    opens: closing('opens', stop),
    routes: [
      pixelRoutes({ keys, publicUrl: config.publicUrl, clock, record }),
      unsubscribeRoutes({ keys, db, clock }),
    ],
  };
}
