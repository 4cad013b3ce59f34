/** Limits on the amount and size of mail that organizations receive. */
const MIB = 1024 * 1024;

/** The limit of most providers. */
export const MAX_RECEIVED_BYTES = 25 * MIB;
/** Per message. */
export const MAX_RECEIVERS = 50;
/** RFC 5321, 6.3, recommends at least 100 before mail counts as a loop; ordinary mail has fewer than ten. */
export const MAX_HOPS = 50;

export interface ReceivingLimits {
  /** Per organization and day. */
  readonly messagesPerDay: number;
  /** Per organization, for all stored mail. */
  readonly storedBytes: number;
  /** Unread mail, in total and per organization: flooding one organization leaves room for others. */
  readonly waiting: number;
  readonly waitingOfOne: number;
}

export const RECEIVING_LIMITS: ReceivingLimits = {
  messagesPerDay: 10_000,
  storedBytes: 2048 * MIB,
  waiting: 5_000,
  waitingOfOne: 1_000,
};
