/** What must be true of every answer, whatever was asked. */
import type { ApiDescription } from './document.ts';
import type { FuzzRequest } from './request.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Null when the answer is as it should be. */
export function problemOf(
  api: ApiDescription,
  request: FuzzRequest,
  answer: Answered,
  foreignMark: string,
): string | null {
  const { status, headers, text } = answer;
  if (status >= 500) return `answers ${status}: ${text.slice(0, 500)}`;
  if (text.includes(foreignMark)) return `shows something of another organization: ${text.slice(0, 500)}`;
  const missing = ALWAYS.find((name) => headers.get(name) === null);
  if (missing !== undefined) return `answers ${status} without ${missing}`;
  const isJson = headers.get('content-type')?.includes('application/json') ?? false;
  if (status >= 400 && !isJson) return `answers ${status} as ${headers.get('content-type')}`;
  if (!isJson) return null;
  const body = parsed(text);
  if (BEFORE_ROUTING.includes(status)) return problemOfEnvelope(body);
  if (body === undefined) return `answers ${status} with what is not JSON: ${text.slice(0, 200)}`;
  return (
    (status >= 400 ? problemOfEnvelope(body) : null) ?? api.problemOfBody(request.operation, status, body)
  );
}

/** Said of the request as such, whatever it asked for: the document has them once, for all. */
const BEFORE_ROUTING = [408, 417, 431];

const ALWAYS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** `{"error": {"code", "message", "details": [{"field", "message"}]}}` and nothing else. */
export function problemOfEnvelope(body: unknown): string | null {
  const error = (body as { error?: Record<string, unknown> } | null)?.error;
  const isGood =
    Object.keys(body as object).length === 1 &&
    typeof error?.code === 'string' &&
    /^[A-Z_]+$/.test(error.code) &&
    typeof error.message === 'string' &&
    Array.isArray(error.details) &&
    error.details.every(
      (one: Record<string, unknown>) => typeof one.field === 'string' && typeof one.message === 'string',
    );
  if (!isGood) return `an error without the envelope: ${JSON.stringify(body).slice(0, 300)}`;
  if (error.code === 'INTERNAL_ERROR') return 'INTERNAL_ERROR';
  return null;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
