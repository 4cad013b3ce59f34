/** The policy: what becomes of a site's window, pace and condition after an attempt that counts for it. */

import type { LocalSite } from './local-site.ts';
import {
  blocked,
  eased,
  type Moment,
  reachable,
  type SiteCondition,
  siteStateOf,
  slowed,
  suspended,
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
      if (!complained(local, testimony, moment)) return reachable(condition);
      return slowed(reachable(condition), signal.why, local.sentLastMinute(moment.nowMs) * workers, moment);
    case 'suspend':
      if (!complained(local, testimony, moment)) return condition;
      return suspended(condition, signal.why, signal.minutes, moment);
  }
}

function afterSuccess(local: LocalSite, { domain }: Testimony, moment: Moment): SiteCondition {
  const { evidence, condition, site } = local;
  evidence.took(domain, moment.nowMs);
  const reached = reachable(condition);
  return widened(eased(reached, evidence.taken, moment), site.policy.connections, moment);
}

/** True when it makes enough of them to believe that it is about us. */
function complained(local: LocalSite, testimony: Testimony, { nowMs }: Moment): boolean {
  const { recipient, domain, isRetry, begunMs } = testimony;
  return !isRetry && local.evidence.complained(recipient, domain, begunMs, nowMs);
}
