/** Converts a refused request to its log entry. Pure. */
import type { RefusedRequest } from '../runtime/refused-request.ts';
import type { Problem } from '../runtime/service-error.ts';
import { recipientsIn, redactedExcerpt, storable } from './redacted.ts';

export interface LogEntry extends Omit<RefusedRequest, 'body'> {
  /** A UUIDv7 with the time of the response. */
  readonly id: string;
  readonly recipients: readonly string[];
  readonly excerpt: Readonly<Record<string, unknown>> | null;
  /** The number of requests that the entry stands for. */
  count: number;
}

const MAX_MESSAGE_CHARS = 1_000;
const MAX_FIELDS_KEPT = 20;

export function logEntryOf({ body, ...request }: RefusedRequest, id: string): LogEntry {
  return {
    ...request,
    id,
    message: request.message && shortened(request.message),
    fields: request.fields.slice(0, MAX_FIELDS_KEPT).map(shortenedProblem),
    recipients: recipientsIn(body),
    excerpt: redactedExcerpt(body),
    count: 1,
  };
}

function shortenedProblem({ field, message }: Problem): Problem {
  return { field: shortened(field), message: shortened(message) };
}

function shortened(text: string): string {
  return storable(text.slice(0, MAX_MESSAGE_CHARS));
}
