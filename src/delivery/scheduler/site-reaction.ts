/** The policy: what becomes of a site's window, pace and condition after an attempt that counts for it. */
import {
  blocked,
  eased,
  type Moment,
  reachable,
  type SiteCondition,
  slowed,
  standingOf,
  suspended,
  widened,
} from './site-condition.ts';
import type { SiteSignal } from './site-signal.ts';
import type { SiteState } from './site-state.ts';

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
  state: SiteState,
  signal: Exclude<SiteSignal, { kind: 'crowded' }>,
  testimony: Testimony,
  moment: Moment,
  workers: number,
): SiteCondition {
  const { condition, window, connections } = state;
  switch (signal.kind) {
    case 'silent':
      return condition;
    case 'reachable':
      window.worked(connections);
      return testimony.isTaken ? afterSuccess(state, testimony, moment) : reachable(condition);
    case 'trouble': {
      const standing = standingOf(condition, moment.nowMs);
      const hopeless = window.failed(connections);
      // The last deliveries of a cohort come back when the block stands already.
      if (standing === 'blocked' || (standing !== 'probing' && !hopeless)) return condition;
      return blocked(condition, signal.why, moment);
    }
    case 'slow_down':
      if (!complained(state, testimony, moment)) return reachable(condition);
      return slowed(reachable(condition), signal.why, state.sentLastMinute(moment.nowMs) * workers, moment);
    case 'suspend':
      if (!complained(state, testimony, moment)) return condition;
      return suspended(condition, signal.why, signal.minutes, moment);
  }
}

function afterSuccess(state: SiteState, { domain }: Testimony, moment: Moment): SiteCondition {
  const { evidence, condition, site } = state;
  evidence.took(domain, moment.nowMs);
  const reached = reachable(condition);
  return widened(eased(reached, evidence.taken, moment), site.policy.connections, moment);
}

/** True when it makes enough of them to believe that it is about us. */
function complained(state: SiteState, testimony: Testimony, { nowMs }: Moment): boolean {
  const { recipient, domain, isRetry, begunMs } = testimony;
  return !isRetry && state.evidence.complained(recipient, domain, begunMs, nowMs);
}
