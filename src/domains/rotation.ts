/**
 * The rotation of a domain's DKIM key. Pure: the DNS result for the new record in, the next state out.
 *
 *   waiting_for_dns ──new record found twice──→ switched ──7 days──→ finished
 *
 * Until the switch the old key signs, and the rotation can be cancelled. After the switch, the old key still signs
 * mail whose first attempt was earlier, so that retries send the same bytes. Receivers check mail in transit against
 * the old record.
 */
import type { Mode } from '../runtime/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import type { DnsCheck, DnsCheckStatus } from './verify.ts';

export const ROTATION_STATUSES = ['waiting_for_dns', 'switched', 'finished'] as const;
type RotationStatus = (typeof ROTATION_STATUSES)[number];

export interface RotationRow {
  readonly organization_id: string;
  readonly domain_id: string;
  readonly status: RotationStatus;
  /** The selector of the inactive key: the new key before the switch, the old key after it. */
  readonly selector: string;
  readonly public_key: Buffer;
  readonly last_check: DnsCheck | null;
  readonly started_at: Date;
  readonly seen_at: Date | null;
  readonly switched_at: Date | null;
  readonly retires_at: Date | null;
}

interface RotationStep {
  readonly seenAt: Date | null;
  readonly isReady: boolean;
  readonly againMs: number;
}

/**
 * The minimum time between the first and the deciding lookup: a zone's name servers do not update at the same moment.
 */
const SETTLES_MS = 10 * MINUTE_MS;
/** Longer than the lifetime of any delivery. */
export const RETIRES_AFTER_MS = 7 * DAY_MS;
/** Signers check for a change every 30 seconds; the old key signs until all have seen the switch. */
export const SWITCH_NOTICE_MS = MINUTE_MS;

export function rotationAfter(
  before: Pick<RotationRow, 'seen_at' | 'started_at'>,
  found: DnsCheckStatus,
  { nowMs, mode }: { readonly nowMs: number; readonly mode: Mode },
): RotationStep {
  const settlesMs = mode === 'sandbox' ? 0 : SETTLES_MS;
  const seenAt = seenAfter(before.seen_at, found, nowMs);
  const isReady =
    found === 'pass' && before.seen_at !== null && nowMs - before.seen_at.getTime() >= settlesMs;
  const againMs = seenAt === null ? waitFor(nowMs - before.started_at.getTime()) : settlesMs;
  return { seenAt, isReady, againMs };
}

/** A lookup without an answer changes nothing. */
function seenAfter(before: Date | null, found: DnsCheckStatus, nowMs: number): Date | null {
  if (found === 'fail') return null;
  return found === 'pass' ? (before ?? new Date(nowMs)) : before;
}

function waitFor(ageMs: number): number {
  if (ageMs < HOUR_MS) return 2 * MINUTE_MS;
  return ageMs < DAY_MS ? 15 * MINUTE_MS : 6 * HOUR_MS;
}
