/**
 * When mail is signed by the installation's own domain. Pure: the DNS result for the record in, the times at which
 * signing starts and stops out.
 *
 * A signature without its record is useless, so signing starts when DNS has the record and ends when the record has
 * been gone for a day. The time of a mail's first attempt decides, so that retries send the same bytes.
 */
import { DAY_MS } from '../../runtime/durations.ts';
import { SWITCH_NOTICE_MS } from '../rotation.ts';
import type { DnsCheckStatus } from '../verify.ts';

export interface Publication {
  /** The times at which signing started, stopped, started again, in order. */
  readonly switches: readonly Date[];
  readonly missing_since: Date | null;
}

export const ENDS_AFTER_MS = DAY_MS;
/**
 * Signing lasts at least a day each time, so these cover more than a week, longer than the lifetime of any delivery.
 */
const KEPT_SWITCHES = 16;

export function publicationAfter(before: Publication, found: DnsCheckStatus, nowMs: number): Publication {
  const { switches, missing_since: missingSince } = before;
  const isOn = isSigning(before);
  if (found === 'pass') return { switches: isOn ? switches : switched(switches, nowMs), missing_since: null };
  // A check without a DNS answer changes nothing.
  if (found !== 'fail' || !isOn) return before;
  const since = missingSince ?? new Date(nowMs);
  const isOver = nowMs - since.getTime() >= ENDS_AFTER_MS;
  return isOver
    ? { switches: switched(switches, nowMs), missing_since: null }
    : { switches, missing_since: since };
}

/** True also within the minute before the latest switch takes effect. */
export function isSigning({ switches }: Pick<Publication, 'switches'>): boolean {
  return switches.length % 2 === 1;
}

export function signedAt(switches: readonly Date[], firstAttemptAtMs: number): boolean {
  return switches.filter((at) => at.getTime() <= firstAttemptAtMs).length % 2 === 1;
}

function switched(switches: readonly Date[], nowMs: number): Date[] {
  const all = [...switches, new Date(nowMs + SWITCH_NOTICE_MS)];
  // Removed in pairs, so that the first entry remains a start.
  return all.length > KEPT_SWITCHES ? all.slice(2) : all;
}
