/** How much mail organizations may receive, and how large it may be. */
const MIB = 1024 * 1024;

/** What most providers take. */
export const MAX_RECEIVED_BYTES = 25 * MIB;
/** Of one message. */
export const MAX_RECEIVERS = 50;
/** RFC 5321, 6.3, asks for at least 100 before it is taken for a loop; what people send has less than ten. */
export const MAX_HOPS = 50;

export interface ReceivingLimits {
  /** Of an organization and day. */
  readonly messagesPerDay: number;
  /** Of an organization, of all that is kept. */
  readonly storedBytes: number;
  /** That nobody has read yet, of all and of one organization: one that is flooded leaves room for others. */
  readonly waiting: number;
  readonly waitingOfOne: number;
}

export const RECEIVING_LIMITS: ReceivingLimits = {
  messagesPerDay: 10_000,
  storedBytes: 2048 * MIB,
  waiting: 5_000,
  waitingOfOne: 1_000,
};
