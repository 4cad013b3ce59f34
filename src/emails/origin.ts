/** The request that an email came with, for finding it again in logs, events and traces. */
export interface Origin {
  /** The X-Request-Id of its response. */
  readonly requestId?: string | undefined;
}
