import type { Problem } from './service-error.ts';

/** A request that was refused, in whole or in part, on any endpoint. */
export interface RefusedRequest {
  readonly organizationId: string;
  readonly keyId: string | null;
  readonly userId: string | null;
  /** An HTTP method or an SMTP command. */
  readonly method: string;
  readonly path: string;
  /** The status code of the answer, in its protocol. */
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly fields: readonly Problem[];
  readonly requestId: string | null;
  readonly durationMs: number;
  /**
   * The refused part of the body, unmodified. Callees must not keep any part of it that they did not check.
   */
  readonly body: unknown;
}

/** Never blocks and never throws. */
export type OnRefused = (request: RefusedRequest) => void;
