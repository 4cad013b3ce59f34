/** What becomes of a site's window and condition after an attempt that counts for it. */
import {
  blocked,
  type Moment,
  reachable,
  type SiteCondition,
  slowed,
  standingOf,
  suspended,
} from './site-condition.ts';
import type { SiteSignal } from './site-signal.ts';
import type { SiteState } from './site-state.ts';

export function conditionAfter(state: SiteState, signal: SiteSignal, moment: Moment): SiteCondition {
  const { condition, window, connections } = state;
  switch (signal.kind) {
    case 'silent':
      return condition;
    case 'reachable':
      window.worked(connections);
      return reachable(condition, moment.nowMs);
    case 'trouble': {
      const standing = standingOf(condition, moment.nowMs);
      const hopeless = window.failed(connections);
      // The last deliveries of a cohort come back when the block stands already.
      if (standing === 'blocked' || (standing !== 'probing' && !hopeless)) return condition;
      return blocked(condition, signal.why, moment);
    }
    case 'slow_down':
      state.delay(moment.nowMs);
      return slowed(reachable(condition, moment.nowMs), signal.why, moment);
    case 'suspend':
      return suspended(condition, signal.why, signal.minutes, moment);
  }
}
