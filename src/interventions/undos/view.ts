/** The public form of an incident and an undo. */
import type { WhatHappened } from './bounces.ts';
import type { UndoRow } from './store.ts';
import { LEFT_ALONE } from './undo.ts';

export function undoView(row: UndoRow) {
  const { organization_id: _o, stage: _s, at_event: _e, from_at, to_at, left_alone, ...rest } = row;
  const nothing = Object.fromEntries(LEFT_ALONE.map((why) => [why, 0])) as Record<
    (typeof LEFT_ALONE)[number],
    0
  >;
  return {
    ...rest,
    state: row.ended_at === null ? ('running' as const) : ('done' as const),
    from: from_at,
    to: to_at,
    left_alone: { ...nothing, ...left_alone },
  };
}

export function incidentView({ samples, reasons, ...effect }: WhatHappened) {
  return {
    ...effect,
    reasons: [...reasons],
    samples: samples.map(({ id: _id, position: _position, created_at, ...sample }) => ({
      ...sample,
      at: created_at,
    })),
  };
}
