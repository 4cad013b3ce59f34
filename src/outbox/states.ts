/**
 * The outbox: one row per undelivered recipient. This table is the only interface between accepting mail and delivering it.
 *
 *   waiting  (worker is null)      created by enqueue; due at `due_at`
 *   claimed  (worker = an epoch)   claimed for as long as that worker's heartbeat is fresh
 *   gone                           removed by settle when the delivery is final, or by withdraw
 *
 *   held     (hold_id is set)      parked: unclaimed and without a due time until its hold ends
 *
 *   claimed → waiting              settle, with a later `due_at`, when the attempt was deferred;
 *                                  release, when a worker stops before trying;
 *                                  reclaim, when a worker died
 *
 * Only this module writes the tables `outbox` and `workers`.
 */

import type { MailDomain } from '../protocols/message/address.ts';
import type { Mode } from '../runtime/config.ts';

/** Names one delivery: the position counts the email's recipients. */
export interface DeliveryKey {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
}

/** SQL: whether two rows refer to the same delivery. In the order of the primary key of `outbox`. */
export function isDelivery(one: string, other: string): string {
  return `${one}.email_id = ${other}.email_id AND ${one}.position = ${other}.position
     AND ${one}.organization_id = ${other}.organization_id`;
}

export interface NewDelivery extends DeliveryKey {
  /** The mode at acceptance: only workers of the same mode deliver it. */
  readonly mode: Mode;
  /** The recipient's domain, which is the destination. */
  readonly domain: MailDomain;
  readonly priority: number;
  /** Null means now, by the database's clock, which decides what is due. */
  readonly dueAtMs: number | null;
  readonly expiresAtMs: number;
  readonly size: number;
}

export interface ClaimedDelivery extends DeliveryKey {
  readonly domain: string;
  readonly priority: number;
  /** The number of the next attempt, counted from 1. */
  readonly attempt: number;
  /** When the delivery was claimed for its first attempt, whichever worker claimed it. */
  readonly firstAttemptAtMs: number;
  readonly expiresAtMs: number;
  readonly size: number;
  /** By the database's clock. */
  readonly dueAtMs: number;
  /** How long it was due before it was claimed. */
  readonly waitedMs: number;
}

/** Mail is due at its acceptance or its scheduled time, within the difference of clocks. */
const DUE_AT_ONCE_MS = 1_000;

/** Whether a hold or a wait for a turn delayed the first attempt. */
export function wasPutOff({ dueAtMs }: Pick<ClaimedDelivery, 'dueAtMs'>, sinceMs: number): boolean {
  return dueAtMs >= sinceMs + DUE_AT_ONCE_MS;
}

/** A worker, which claims mail of its own mode. */
export interface Claimant {
  readonly epoch: number;
  readonly mode: Mode;
}

/** `high`, `normal` and `low` as stored, in sort order. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority);
}
