/** The reason why an order failed, for the operator, and when the authority allows the next attempt. */

export class AcmeError extends Error {
  /** The end of the problem's URN, such as `rateLimited`; undefined when the response was no ACME problem. */
  readonly type: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;

  constructor(
    message: string,
    more: { readonly type?: string; readonly retryAfterMs?: number; readonly status?: number } = {},
  ) {
    super(message);
    this.name = 'AcmeError';
    this.type = more.type;
    this.retryAfterMs = more.retryAfterMs;
    this.status = more.status;
  }
}

/** The authority issued a certificate that cannot be served. Another attempt needs another order. */
export class UnusableCertificate extends AcmeError {}

const URN = 'urn:ietf:params:acme:error:';
const MAX_DETAIL_CHARS = 500;

interface Problem {
  readonly type?: unknown;
  readonly detail?: unknown;
}

/** `body` is the server's response, of any type. */
export function problemOf(body: unknown): { readonly type: string | undefined; readonly detail: string } {
  const { type, detail } = (typeof body === 'object' && body !== null ? body : {}) as Problem;
  const known = typeof type === 'string' && type.startsWith(URN) ? type.slice(URN.length) : undefined;
  return { type: known, detail: asOneLine(typeof detail === 'string' ? detail : 'no reason was given') };
}

/** Sanitizes external text for logs and the database. */
export function asOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .slice(0, MAX_DETAIL_CHARS)
    .trim();
}
