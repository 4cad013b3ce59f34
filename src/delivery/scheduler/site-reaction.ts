/** How a site's congestion window, pace and condition change after an attempt that counts for the site. */

import type { LocalSite } from './local-site.ts';
import {
  blocked,
  eased,
  hasKnownLimit,
  type Moment,
  reachable,
  type SiteCondition,
  siteStateOf,
  slowed,
  suspended,
  type Why,
  widened,
} from './site-condition.ts';
import type { SiteSignal } from './site-signal.ts';

/** The mail of the attempt, and its result. */
export interface AttemptReport {
  readonly domain: string;
  readonly recipient: string;
  readonly isRetry: boolean;
  readonly isAccepted: boolean;
  readonly begunMs: number;
}

/** `workers`: how many workers serve the site, because only this worker's messages are counted. Sites.#narrow handles `crowded`. */
export function conditionAfter(
  local: LocalSite,
  signal: Exclude<SiteSignal, { kind: 'crowded' }>,
  report: AttemptReport,
  moment: Moment,
  workers: number,
): SiteCondition {
  const { condition, window, connections } = local;
  switch (signal.kind) {
    case 'silent':
      return condition;
    case 'reachable':
      window.worked(connections);
      return report.isAccepted ? afterSuccess(local, report, moment) : reachable(condition);
    case 'failure': {
      const state = siteStateOf(condition, moment.nowMs);
      const hopeless = window.failed(connections);
      // The last deliveries of a cohort fail when the site is blocked already.
      if (state === 'blocked' || (state !== 'probing' && !hopeless)) return condition;
      return blocked(condition, signal.why, moment);
    }
    case 'slow_down':
      return afterSlowDown(local, signal.why, report, moment, workers);
    case 'suspend':
      if (!complained(local, report, moment)) return condition;
      return suspended(condition, signal.why, signal.minutes, moment);
  }
}

function afterSuccess(local: LocalSite, { domain, begunMs }: AttemptReport, moment: Moment): SiteCondition {
  const { evidence, condition, site } = local;
  evidence.took(domain, moment.nowMs, begunMs);
  local.traffic.took(moment.nowMs);
  const traffic = local.traffic.lastMinute(moment.nowMs, evidence.taken);
  return widened(eased(reachable(condition), traffic, moment), site.policy.connections, moment);
}

/** At a site whose limit is known, a single refusal for the rate says that the pace is above the limit. */
function afterSlowDown(
  local: LocalSite,
  why: Why,
  report: AttemptReport,
  moment: Moment,
  workers: number,
): SiteCondition {
  const { condition, evidence } = local;
  const traffic = local.traffic.lastMinute(moment.nowMs, evidence.taken, workers);
  const isNewEvidence = !report.isRetry && evidence.isNewEvidence(report.begunMs, moment.nowMs);
  const isEnough = complained(local, report, moment);
  const isKnown = condition.slow !== null && hasKnownLimit(condition.slow) && why.reason === 'rate_limited';
  if (!isEnough && !(isKnown && isNewEvidence)) return reachable(condition);
  return slowed(reachable(condition), why, traffic, moment);
}

/** True when enough recipients were refused to conclude that the refusals are about us. */
function complained(local: LocalSite, report: AttemptReport, { nowMs }: Moment): boolean {
  const { recipient, domain, isRetry, begunMs } = report;
  return !isRetry && local.evidence.complained(recipient, domain, begunMs, nowMs);
}
