import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { waitAfter } from '../verification-state.ts';
import { type HostCheckDeps, lookUpHost, probeHost } from './check-host.ts';
import { hostBelow } from './host-name.ts';
import {
  choiceOf,
  type DomainTrackingRow,
  findTracking,
  recordHostCheck,
  setTracking,
  type TrackingChoice,
  type TrackingHostState,
} from './store.ts';

export interface TrackingDeps extends HostCheckDeps {
  readonly db: Sql;
  readonly clock: Clock;
}

/** Absent fields stay unchanged; null removes a setting. */
export type TrackingChange = Partial<TrackingChoice>;

interface Named {
  readonly organization_id: string;
  readonly id: string;
  readonly domain: string;
}

export async function changeTracking(
  deps: TrackingDeps,
  domain: Named,
  change: TrackingChange,
): Promise<DomainTrackingRow> {
  const before = await findTracking(deps.db, domain.organization_id, domain.id);
  const host = change.host === undefined ? (before?.host ?? null) : hostOf(domain, change.host, deps);
  const choice = { ...choiceOf(before), ...change, host };
  const row = await setTracking(deps.db, domain.organization_id, domain.id, choice);
  if (row === undefined) throw new ServiceError('NOT_FOUND');
  return change.host === undefined ? row : checkHostOf(deps, row);
}

/**
 * Returns the settings after a check of the tracking host, if there is one. The DNS result is stored before the host
 * is probed, because only then does the proxy get a certificate for the host. No transaction is open meanwhile.
 */
export async function checkHostOf(deps: TrackingDeps, row: DomainTrackingRow): Promise<DomainTrackingRow> {
  if (row.host === null) return row;
  const found = await lookUpHost(deps, row.host);
  const points = found.is ?? row.host_points;
  const looked = { host_points: points, host_answers: points && row.host_answers, host_check: found.check };
  const known = await note(deps, row, looked, found.is);
  if (found.is !== true || known === undefined) return known ?? row;
  const answer = await probeHost(deps, row.host);
  const asked = { host_points: true, host_answers: answer.is === true, host_check: answer.check };
  return (await note(deps, row, asked, answer.is)) ?? known;
}

/** When to check again a host that is not usable yet; null when no check is needed. */
export function nextHostCheckAt({ isUsed, clock }: TrackingDeps, row: DomainTrackingRow): Date | null {
  if (!isUsed || row.host === null || (row.host_points && row.host_answers)) return null;
  const waitMs = waitAfter(row.host_failures);
  return waitMs === null ? null : new Date(clock.nowMs() + waitMs);
}

function note(
  { db, clock }: TrackingDeps,
  row: DomainTrackingRow,
  state: Omit<TrackingHostState, 'host_failures'>,
  isRight: boolean | null,
): Promise<DomainTrackingRow | undefined> {
  const host_failures = isRight === true ? 0 : row.host_failures + 1;
  return recordHostCheck(db, row, { host_failures, ...state }, new Date(clock.nowMs()));
}

function hostOf({ domain }: Named, given: string | null, { publicUrl }: TrackingDeps): string | null {
  if (given === null) return null;
  const below = hostBelow(domain, given);
  if (!below.ok) throw refused(below.message);
  if (below.host === new URL(publicUrl).hostname)
    throw refused('is the address of this installation, where links are without a host');
  return below.host;
}

function refused(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field: 'host', message }] });
}
