/** How many connections there are to a destination, and when one has done enough. */
export interface PoolLimits {
  readonly maxConnectionsPerTarget: number;
  readonly maxMessagesPerConnection: number;
  /**
   * Servers count errors with nothing that they took between them, and a refused recipient makes two: RCPT, and the DATA
   * that is on its way behind it. Postfix answers every command a second later after 10, and hangs up after 20. So before
   * that the next message gets a new connection.
   */
  readonly maxRefusedInARow: number;
  readonly idleMs: number;
  readonly maxAgeMs: number;
  /** How long `stop` lets sends finish before it cuts their connections. */
  readonly stopGraceMs: number;
}

export const DEFAULT_POOL_LIMITS: PoolLimits = {
  maxConnectionsPerTarget: 10,
  maxMessagesPerConnection: 100,
  maxRefusedInARow: 4,
  idleMs: 5_000,
  maxAgeMs: 300_000,
  stopGraceMs: 5_000,
};
