/** The meaning of an event's reason, for the modules that display or send events. */
import { adviceOn } from './advice.ts';
import type { OutcomeReason } from './reasons.ts';
import { effectOf } from './refusals/effects.ts';

export const REASON_MEANINGS = {
  /** One sentence; null for an unknown reason. */
  meaningOf: (reason: string): string | null => adviceOn(reason)?.meaning ?? null,
  /** Whether the reason proves that the address does not work. */
  provesDead: (reason: string): boolean => effectOf(reason as OutcomeReason).suppress,
};
