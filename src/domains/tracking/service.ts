/** What is set and checked about the tracking of one domain. */
import type { ClickTracking } from '../../emails/email.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { ServiceError } from '../../kit/service-error.ts';
import { parseDomainName } from '../name.ts';
import { checkTrackingHost, type HostCheckDeps } from './check-host.ts';
import { type DomainTrackingRow, findTracking, recordHostCheck, setTracking } from './store.ts';

export interface TrackingDeps extends HostCheckDeps {
  readonly db: Sql;
  readonly clock: Clock;
}

/** What is not given stays as it is; null takes it back. */
export interface TrackingChange {
  readonly track_opens?: boolean | null;
  readonly track_clicks?: ClickTracking | null;
  readonly host?: string | null;
}

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
  const { track_opens = before?.track_opens ?? null, track_clicks = before?.track_clicks ?? null } = change;
  const host = change.host === undefined ? (before?.host ?? null) : hostBelow(domain.domain, change.host);
  const choice = { track_opens, track_clicks, host };
  const row = await setTracking(deps.db, domain.organization_id, domain.id, choice);
  return checkHostOf(deps, row);
}

/** As it stands after a look at its host, if it has one. No transaction is open meanwhile. */
export async function checkHostOf(deps: TrackingDeps, row: DomainTrackingRow): Promise<DomainTrackingRow> {
  if (row.host === null) return row;
  const { points, verified, check } = await checkTrackingHost(deps, row.host);
  const result = { points: points ?? row.host_points, verified: verified ?? row.host_verified, check };
  return (await recordHostCheck(deps.db, row, result, new Date(deps.clock.nowMs()))) ?? row;
}

/** Only below the domain: that its owner lets us use it is what the domain's own records prove. */
function hostBelow(domain: string, given: string | null): string | null {
  if (given === null) return null;
  const parsed = parseDomainName(given);
  if (!parsed.ok) throw refused(parsed.message);
  if (!parsed.domain.endsWith(`.${domain}`))
    throw refused(`must be a name below ${domain}, such as links.${domain}`);
  return parsed.domain;
}

function refused(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field: 'host', message }] });
}
