import type { Problem } from './service-error.ts';

/** A request that was refused, in whole or in part, through whatever door it came. */
export interface RefusedRequest {
  readonly organizationId: string;
  readonly keyId: string | null;
  readonly userId: string | null;
  /** Of HTTP, or a command of SMTP. */
  readonly method: string;
  readonly path: string;
  /** What it was answered with, in the codes of its protocol. */
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly fields: readonly Problem[];
  readonly requestId: string | null;
  readonly durationMs: number;
  /** What of the body is refused, as it came. Nothing of it may be kept that was not looked at. */
  readonly body: unknown;
}

/** Never waits and never throws. */
export type OnRefused = (request: RefusedRequest) => void;
