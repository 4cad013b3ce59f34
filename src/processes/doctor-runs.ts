/** Assembles the doctor from the configuration: for the command line, the start, the worker and the API. */

import type { Database } from '../database/database.ts';
import { ALL_CHECKS } from '../doctor/checks.ts';
import type { DoctorCheck } from '../doctor/doctor-check.ts';
import { examine } from '../doctor/examine.ts';
import type { DoctorFinding } from '../doctor/finding.ts';
import { OUTSIDE, type Outside } from '../doctor/reference-servers.ts';
import { DoctorReports } from '../doctor/reports.ts';
import { createResolver } from '../protocols/dns/resolver.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { dataFolders } from './data-folders.ts';

interface DoctoringDeps {
  readonly config: Config;
  readonly clock: Clock;
  /** The database, or the reason why there is none. */
  readonly db: Database | string;
  /** Tests pass their own. */
  readonly outside?: Outside | undefined;
}

const LOOKUP_MS = 5_000;

export async function runDoctor(
  checks: readonly DoctorCheck[],
  { config, clock, db, outside = OUTSIDE }: DoctoringDeps,
): Promise<DoctorFinding[]> {
  const resolver = createResolver({ clock, servers: config.dnsServers, deadlineMs: LOOKUP_MS });
  try {
    return await examine(
      { config, clock, resolver, db, outside, folders: await dataFolders(config) },
      checks,
    );
  } finally {
    resolver.close();
  }
}

/** For the API: all checks, from the machine it runs on. */
export function createDoctorReports(deps: DoctoringDeps & { readonly steady?: Clock }): DoctorReports {
  const { clock, steady = steadyClock } = deps;
  return new DoctorReports({ clock, steady, examine: () => runDoctor(ALL_CHECKS, deps) });
}
