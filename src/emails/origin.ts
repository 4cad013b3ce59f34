/** The request that an email came with, for finding it again in logs, events and traces. */
import { createHash } from 'node:crypto';
import { formatTraceparent, parseTraceparent } from '../runtime/tracing.ts';

export interface MailOrigin {
  /** The X-Request-Id of its response. */
  readonly requestId?: string | undefined;
  /** What its spans belong to, where it is traced. */
  readonly traceparent?: string | undefined;
}

export interface NumberedAttempt {
  readonly emailId: string;
  readonly position: number;
  readonly attempt: number;
}

/** The same for everybody who knows of the attempt, so that what comes of it need not be told whose it is. */
export function attemptSpanId({ emailId, position, attempt }: NumberedAttempt): string {
  return createHash('sha256').update(`${emailId}/${position}/${attempt}`).digest('hex').slice(0, 16);
}

/** For what comes of an attempt to deliver the email that this one belongs to. */
export function traceparentOfAttempt(traceparent: string, attempt: NumberedAttempt): string | null {
  const email = parseTraceparent(traceparent);
  return email && formatTraceparent({ ...email, spanId: attemptSpanId(attempt) });
}
