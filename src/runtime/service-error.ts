/**
 * What a service says to whoever asked for something that it cannot do. It knows of no protocol: each door turns it
 * into its own words, `http` into a status and a body, the command line into a line.
 */

export const SENTENCES = {
  VALIDATION_ERROR: 'The request is not valid.',
  UNAUTHORIZED: 'Sign in again.',
  TOTP_REQUIRED: 'A code from your authenticator app, or a recovery code, is needed to sign in.',
  SETUP_TOKEN_REQUIRED:
    'Creating the first user needs the setup link: `npm start` prints it as the address of the dashboard, and ' +
    '`npx postrider setup-link` prints it again. Its token goes into `setup_token`.',
  FORBIDDEN: 'You are not allowed to do this.',
  NOT_FOUND: 'Not found.',
  CONFLICT: 'The current state does not allow this.',
  RATE_LIMITED: 'Too many requests.',
  UNAVAILABLE: 'The service cannot answer right now. Try again shortly.',
} as const;

export type ServiceErrorCode = keyof typeof SENTENCES;

export interface Problem {
  /** A path such as `to[0].email`; `body` when it is about the whole. */
  readonly field: string;
  readonly message: string;
}

export interface ServiceErrorOptions {
  readonly problems?: readonly Problem[];
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
  /** Nothing but the request is the reason: the same request is refused in the same words forever. */
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

/** One problem says it all; of several, a sentence says how many. Undefined where there is none. */
export function problemSummary(problems: readonly Problem[], total = problems.length): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  if (total === 1) return `${first.field}: ${first.message}${/[.?!]$/.test(first.message) ? '' : '.'}`;
  if (total === problems.length) return `The request has ${total} problems; see details.`;
  return `The request has ${total} problems; details lists the first ${problems.length}.`;
}
