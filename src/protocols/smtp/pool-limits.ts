/** Limits the connections to a destination and the messages per connection. */
export interface PoolLimits {
  readonly maxConnectionsPerTarget: number;
  readonly maxMessagesPerConnection: number;
  /**
   * Servers count consecutive errors, and a refused recipient makes two: RCPT, and the pipelined DATA.
   * Postfix delays every reply by a second after 10 errors, and disconnects after 20. So the next message
   * gets a new connection before that.
   */
  readonly maxRefusedInARow: number;
  readonly idleMs: number;
  readonly maxAgeMs: number;
  /** How long `stop` waits for running sends before it cuts their connections. */
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
