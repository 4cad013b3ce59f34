/** The public form of a hold. */

import type { HoldFigures } from './coverage.ts';
import type { HoldState } from './hold.ts';
import type { HoldWithFigures, PlacedHold } from './service.ts';
import type { HoldRow } from './store.ts';

export function holdView(row: HoldRow) {
  const { ending, ending_reason, ending_by, ending_at, lifted_at: _lifted, ...rest } = row;
  return {
    ...rest,
    state: holdStateOf(row),
    decision:
      ending === null || ending_at === null
        ? null
        : { kind: ending, reason: ending_reason, by: ending_by ?? '', at: ending_at },
  };
}

export function holdDetailView({ hold, figures }: HoldWithFigures) {
  return { ...holdView(hold), mail: figuresView(figures) };
}

export function placedHoldView({ hold, figures }: PlacedHold) {
  return { ...holdView(hold), mail: figures && figuresView(figures) };
}

function figuresView({ held, expired, later, oldestAt }: HoldFigures) {
  return { held, expired, later, oldest_at: oldestAt };
}

export function holdStateOf({ ending, ended_at }: Pick<HoldRow, 'ending' | 'ended_at'>): HoldState {
  if (ending === null) return 'in_force';
  if (ending === 'release') return ended_at === null ? 'releasing' : 'released';
  return ended_at === null ? 'discarding' : 'discarded';
}
