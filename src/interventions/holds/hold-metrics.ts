/** Metrics of holds in force, because a forgotten hold keeps mail unnoticed. */
import type { Metrics } from '../../runtime/metrics.ts';
import { HOLD_SCOPES } from './hold.ts';
import type { HoldsInForce } from './in-force.ts';

export function registerHoldMetrics(metrics: Metrics, holds: HoldsInForce): void {
  metrics.gauges('postrider_holds', 'Holds in force, by scope.', ['scope'], async () =>
    HOLD_SCOPES.map((scope) => ({ labels: { scope }, value: holds.count(scope) })),
  );
}
