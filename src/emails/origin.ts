/** The request that an email came from, for finding the email in logs, events and traces. */
import { createHash } from 'node:crypto';
import { formatTraceparent, parseTraceparent } from '../runtime/tracing.ts';

export interface MailOrigin {
  /** The X-Request-Id of the response. */
  readonly requestId?: string | undefined;
  /** The trace context that its spans belong to, if it is traced. */
  readonly traceparent?: string | undefined;
}

interface NumberedAttempt {
  readonly emailId: string;
  readonly position: number;
  readonly attempt: number;
}

/** Derived from the attempt, so that every process computes the same id without coordination. */
export function attemptSpanId({ emailId, position, attempt }: NumberedAttempt): string {
  return createHash('sha256').update(`${emailId}/${position}/${attempt}`).digest('hex').slice(0, 16);
}

/** The trace context for consequences of a delivery attempt. */
export function traceparentOfAttempt(traceparent: string, attempt: NumberedAttempt): string | null {
  const email = parseTraceparent(traceparent);
  return email && formatTraceparent({ ...email, spanId: attemptSpanId(attempt) });
}
