/**
 * A service's refusal of a request. It is independent of protocols: HTTP turns it into a status and a body,
 * the command line into a line of text.
 */

export const SENTENCES = {
  VALIDATION_ERROR: 'The request is not valid.',
  UNAUTHORIZED: 'You are not signed in, or your session has ended. Sign in again.',
  TOTP_REQUIRED: 'A code from your authenticator app, or a recovery code, is needed to sign in.',
  SETUP_TOKEN_REQUIRED:
    'Creating the first user needs the setup link: `npm start` prints it as the address of the dashboard, and ' +
    '`npx postrider setup-link` prints it again. Its token goes into `setup_token`.',
  FORBIDDEN: 'You are not allowed to do this. Ask an owner of the organization.',
  NOT_FOUND: 'Not found.',
  CONFLICT: 'The current state does not allow this request. Read the object again before you change it.',
  RATE_LIMITED: 'Too many requests. Wait for the seconds in Retry-After, then try again.',
  UNAVAILABLE: 'The service cannot answer right now. Try again shortly.',
} as const;

type ServiceErrorCode = keyof typeof SENTENCES;

export interface Problem {
  /** A path such as `to[0].email`; `body` for the whole request. */
  readonly field: string;
  readonly message: string;
  /** Set where code decides by the kind of a problem; never shown. */
  readonly kind?: ProblemKind | undefined;
}

/** `missing`: a required field. `one_missing`: one of several fields is required. `unreadable`: a body that is not JSON. */
export type ProblemKind = 'missing' | 'one_missing' | 'unreadable';

export interface ServiceErrorOptions {
  readonly problems?: readonly Problem[];
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
  /** The reason lies in the request alone: repeating it always gives the same refusal. */
  readonly ofRequestAlone?: boolean;
}

export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly problems: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;
  readonly ofRequestAlone: boolean;

  constructor(
    code: ServiceErrorCode,
    message: string | undefined = undefined,
    { problems = [], retryAfterSeconds, cause, ofRequestAlone = false }: ServiceErrorOptions = {},
  ) {
    const summary = code === 'VALIDATION_ERROR' ? problemSummary(problems) : undefined;
    super(message ?? summary ?? SENTENCES[code], cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
    this.ofRequestAlone = ofRequestAlone;
  }
}

/** One problem is the summary itself; several are counted in a sentence. Undefined without problems. */
export function problemSummary(problems: readonly Problem[], total = problems.length): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  if (total === 1) return `${first.field}: ${first.message}${/[.?!]$/.test(first.message) ? '' : '.'}`;
  if (total === problems.length) return `The request has ${total} problems; see details.`;
  return `The request has ${total} problems; details lists the first ${problems.length}.`;
}

export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new ServiceError('NOT_FOUND');
  return found;
}
