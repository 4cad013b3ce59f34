/**
 * The outbox: one row per recipient still to deliver. It is the seam between the half that accepts mail and the
 * half that delivers it; they meet only in this table.
 *
 *   waiting  (worker is null)      enqueue makes it; due at `due_at`
 *   claimed  (worker = an epoch)   claim moves it here, for as long as that worker's heartbeat is fresh
 *   gone                           settle removes it when the delivery is final; withdraw when it is cancelled
 *
 *   held     (hold_id is set)      park moves it here, unclaimed and due at no time, until its hold ends
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

/** SQL: whether two rows are about the same delivery. In the order of the primary key of `outbox`. */
export function isDelivery(one: string, other: string): string {
  return `${one}.email_id = ${other}.email_id AND ${one}.position = ${other}.position
     AND ${one}.organization_id = ${other}.organization_id`;
}

export interface NewDelivery extends DeliveryKey {
  /** The mode it was accepted in: only workers of the same one deliver it. */
  readonly mode: Mode;
  /** The recipient's domain: where the mail has to go. */
  readonly domain: MailDomain;
  readonly priority: number;
  /** Null for at once: by the database's clock, which decides what is due. */
  readonly dueAtMs: number | null;
  readonly expiresAtMs: number;
  readonly size: number;
}

export interface ClaimedDelivery extends DeliveryKey {
  readonly domain: string;
  readonly priority: number;
  /** Counts from 1: the attempt about to be made. */
  readonly attempt: number;
  /** When it was claimed for its first attempt: the mail's own time, whoever tries it when. */
  readonly firstAttemptAtMs: number;
  readonly expiresAtMs: number;
  readonly size: number;
  /** By the database's clock. */
  readonly dueAtMs: number;
  /** How long it was due before it was claimed. */
  readonly waitedMs: number;
}

/** Mail is due when it is accepted or scheduled for, give or take what clocks differ. */
const DUE_AT_ONCE_MS = 1_000;

/** Whether it was held, or waited for a turn, before it was due for its first attempt. */
export function wasPutOff({ dueAtMs }: Pick<ClaimedDelivery, 'dueAtMs'>, sinceMs: number): boolean {
  return dueAtMs >= sinceMs + DUE_AT_ONCE_MS;
}

/** Who claims: a worker, for mail of its own mode. */
export interface Claimant {
  readonly epoch: number;
  readonly mode: Mode;
}

/** `high`, `normal`, `low` as they are stored, so that they sort. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority);
}
