/** The policy: what becomes of a site's window, pace and condition after an attempt that counts for it. */

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

/** Whose mail it was. */
export interface Testimony {
  readonly domain: string;
  readonly recipient: string;
  readonly isRetry: boolean;
  readonly isTaken: boolean;
  readonly begunMs: number;
}

/** `workers` serve the site: how many messages it gets is known of this one only. A site that is narrow is `narrowed` elsewhere. */
export function conditionAfter(
  local: LocalSite,
  signal: Exclude<SiteSignal, { kind: 'crowded' }>,
  testimony: Testimony,
  moment: Moment,
  workers: number,
): SiteCondition {
  const { condition, window, connections } = local;
  switch (signal.kind) {
    case 'silent':
      return condition;
    case 'reachable':
      window.worked(connections);
      return testimony.isTaken ? afterSuccess(local, testimony, moment) : reachable(condition);
    case 'failure': {
      const state = siteStateOf(condition, moment.nowMs);
      const hopeless = window.failed(connections);
      // The last deliveries of a cohort come back when the block stands already.
      if (state === 'blocked' || (state !== 'probing' && !hopeless)) return condition;
      return blocked(condition, signal.why, moment);
    }
    case 'slow_down':
      return afterWishForLess(local, signal.why, testimony, moment, workers);
    case 'suspend':
      if (!complained(local, testimony, moment)) return condition;
      return suspended(condition, signal.why, signal.minutes, moment);
  }
}

function afterSuccess(local: LocalSite, { domain, begunMs }: Testimony, moment: Moment): SiteCondition {
  const { evidence, condition, site } = local;
  evidence.took(domain, moment.nowMs, begunMs);
  local.traffic.took(moment.nowMs);
  const traffic = local.traffic.lastMinute(moment.nowMs, evidence.taken);
  return widened(eased(reachable(condition), traffic, moment), site.policy.connections, moment);
}

/** At a site whose limit is known already, one refusal for the rate says that the pace is above it. */
function afterWishForLess(
  local: LocalSite,
  why: Why,
  testimony: Testimony,
  moment: Moment,
  workers: number,
): SiteCondition {
  const { condition, evidence } = local;
  const traffic = local.traffic.lastMinute(moment.nowMs, evidence.taken, workers);
  const isNews = !testimony.isRetry && evidence.isNews(testimony.begunMs, moment.nowMs);
  const isEnough = complained(local, testimony, moment);
  const isKnown = condition.slow !== null && hasKnownLimit(condition.slow) && why.reason === 'rate_limited';
  if (!isEnough && !(isKnown && isNews)) return reachable(condition);
  return slowed(reachable(condition), why, traffic, moment);
}

/** True when it makes enough of them to believe that it is about us. */
function complained(local: LocalSite, testimony: Testimony, { nowMs }: Moment): boolean {
  const { recipient, domain, isRetry, begunMs } = testimony;
  return !isRetry && local.evidence.complained(recipient, domain, begunMs, nowMs);
}
