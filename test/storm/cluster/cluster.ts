/** PostgreSQL on several hosts, and whoever watches over it. */
export interface DatabaseCluster {
  /** For the report. */
  readonly about: string;
  /** Names all hosts. */
  readonly url: string;
  /** Everything on the primary's host ends in one moment. Resolves when another takes writes. */
  killPrimary(): Promise<void>;
  /** In good order. Resolves when another takes writes. */
  switchOver(): Promise<void>;
  /** The primary's host reaches nobody, and goes on as if nothing had happened. Resolves when another takes writes. */
  cutOffPrimary(): Promise<void>;
  /** All of them end. */
  loseStandbys(): Promise<void>;
  /** What was lost or cut off comes back. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}
