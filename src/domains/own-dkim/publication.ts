/**
 * When mail is signed by the installation's own domain. Pure: from what DNS said about the record to the times from
 * which mail is signed, or no longer is.
 *
 * A signature without its record is useless, so signing begins when DNS has it, and ends when the record is gone
 * for a day. For each mail the time of its first attempt counts, so that a change in between leaves its bytes alone.
 */
import { DAY_MS } from '../../runtime/durations.ts';
import { SWITCH_NOTICE_MS } from '../rotation.ts';
import type { DnsCheckStatus } from '../verify.ts';

export interface Publication {
  /** Began, ended, began again: in order. */
  readonly switches: readonly Date[];
  readonly missing_since: Date | null;
}

export const ENDS_AFTER_MS = DAY_MS;
/** Signing ends after a day at the earliest, so these reach back for a week and more: longer than any delivery lives. */
const KEPT_SWITCHES = 16;

export function publicationAfter(before: Publication, found: DnsCheckStatus, nowMs: number): Publication {
  const { switches, missing_since: missingSince } = before;
  const isOn = isSigning(before);
  if (found === 'pass') return { switches: isOn ? switches : switched(switches, nowMs), missing_since: null };
  // No answer is no reason for anything.
  if (found !== 'fail' || !isOn) return before;
  const since = missingSince ?? new Date(nowMs);
  const isOver = nowMs - since.getTime() >= ENDS_AFTER_MS;
  return isOver
    ? { switches: switched(switches, nowMs), missing_since: null }
    : { switches, missing_since: since };
}

/** Now, or within the minute after which a switch counts. */
export function isSigning({ switches }: Pick<Publication, 'switches'>): boolean {
  return switches.length % 2 === 1;
}

export function signedAt(switches: readonly Date[], firstAttemptAtMs: number): boolean {
  return switches.filter((at) => at.getTime() <= firstAttemptAtMs).length % 2 === 1;
}

function switched(switches: readonly Date[], nowMs: number): Date[] {
  const all = [...switches, new Date(nowMs + SWITCH_NOTICE_MS)];
  // In pairs, so that on stays on.
  return all.length > KEPT_SWITCHES ? all.slice(2) : all;
}
