/** Runs requested undos of incidents in the background. */

import type { Database } from '../database/database.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { processUndos } from '../interventions/undos/process-undos.ts';
import { createLifetime } from '../outbox/lifetime.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Chore } from './housekeeper.ts';

const EVERY_MS = 1_000;

interface IncidentsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'mode'>;
  /** How much faster than real time the retry clock runs. */
  readonly speed: number;
  readonly moved: MovedContents;
}

export function incidentsChore({ db, clock, config, speed, moved }: IncidentsDeps): Chore {
  const { mode } = config;
  const deps = { db, nowMs: () => clock.nowMs(), mode, lifetimeMs: createLifetime(speed), moved };
  return {
    name: 'incidents',
    everyMs: EVERY_MS,
    run: (signal) => processUndos(deps, signal),
    inBackground: true,
  };
}
