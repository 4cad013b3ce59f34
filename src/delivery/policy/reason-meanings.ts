/** What the reasons of events mean, for those who tell others of them. */
import { adviceOn } from './advice.ts';
import type { OutcomeReason } from './reasons.ts';
import { effectOf } from './refusals/effects.ts';

export const REASON_MEANINGS = {
  /** In a sentence; null where nobody here knows it. */
  meaningOf: (reason: string): string | null => adviceOn(reason)?.meaning ?? null,
  /** Whether nobody can be reached at the address. */
  provesDead: (reason: string): boolean => effectOf(reason as OutcomeReason).suppress,
};
