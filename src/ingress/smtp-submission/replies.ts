/** Replies to clients, and refusals as SMTP replies. */
import { refusalError } from '../../emails/http/refusal-errors.ts';
import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { GUARD } from '../../interventions/holds/guard-findings.ts';
import type { DescribedHold } from '../../interventions/holds/store.ts';
import { type Reply, reply } from '../../protocols/smtp/server/replies.ts';
import type { ServiceError } from '../../runtime/service-error.ts';
import type { Refused } from '../../submission/refused.ts';

/** A refusing reply with the API's code for the reason. */
export interface Refusing extends Reply {
  readonly error: ErrorCode;
}

const refusing = (error: ErrorCode, ...said: Parameters<typeof reply>): Refusing => ({
  ...reply(...said),
  error,
});

const KEY_WANTED = 'Authentication required: any user name, and an API key as the password';

export const SUBMISSION_REPLIES = {
  authenticated: reply(235, '2.7.0', 'Authentication successful'),
  tooManyRecipients: (limit: number) =>
    reply(452, '4.5.3', `Too many recipients, a message may have ${limit}`),
  tooFast: (seconds: number) =>
    refusing(
      'RATE_LIMITED',
      450,
      '4.7.1',
      `Too many messages in this minute, try again in ${seconds} seconds`,
    ),
  unavailable: refusing(
    'UNAVAILABLE',
    451,
    '4.3.0',
    'The message cannot be stored at the moment, try again later',
  ),
  noRoom: refusing('UNAVAILABLE', 452, '4.3.1', 'Too many large messages at the moment, try again later'),
  tooManyWrongKeys: reply(454, '4.7.0', 'Too many wrong passwords from your address, try again later'),
  stillRunning: reply(451, '4.3.0', 'The same message is being accepted already, try again in a moment'),

  cancelled: reply(501, '5.7.0', 'Authentication cancelled'),
  notBase64: reply(501, '5.5.2', 'Not base64'),
  unknownMechanism: reply(504, '5.5.4', 'Only AUTH PLAIN and AUTH LOGIN are supported'),
  keyWanted: reply(530, '5.7.0', KEY_WANTED),
  encryptionWanted: reply(538, '5.7.11', 'Encryption required first: STARTTLS, or the port for TLS'),
  wrongKey: reply(
    535,
    '5.7.8',
    'The password is not a valid API key: the key is unknown, revoked or expired',
  ),
  keyMayNotSend: reply(
    535,
    '5.7.8',
    'An API key of scope read may not send; use one of scope send, agent or full',
  ),
  otherMessage: refusing(
    'IDEMPOTENCY_CONFLICT',
    554,
    '5.6.0',
    'This idempotency key was used with another message, use a new key',
  ),
} as const;

/** `hold`: the hold that keeps the email, or some of its recipients, from being sent. */
export function accepted(id: string, hold?: Pick<DescribedHold, 'id' | 'placedBy'>): Reply {
  return reply(250, '2.0.0', `Ok: queued as ${id}${hold ? `, held by ${holderOf(hold)}` : ''}`);
}

function holderOf({ id, placedBy }: Pick<DescribedHold, 'id' | 'placedBy'>): string {
  return placedBy === GUARD ? `the guard (${id})` : id;
}

/** The address is invalid. */
export function noAddress(message: string): Reply {
  return refusing('VALIDATION_ERROR', 553, '5.1.3', plain(message));
}

/** The message itself is invalid. */
export function wrongMessage(words: string): Reply {
  return refusing('VALIDATION_ERROR', 554, '5.6.0', plain(words));
}

const CODES: Readonly<Record<Refused['kind'], readonly [code: number, enhanced: string]>> = {
  sender_not_allowed: [550, '5.7.1'],
  policy_refused: [550, '5.7.1'],
  domain_not_verified: [550, '5.7.1'],
  stream_unknown: [554, '5.6.0'],
  template_not_found: [554, '5.6.0'],
  template_broken: [554, '5.6.0'],
  subject_broken: [554, '5.6.0'],
  data_refused: [554, '5.6.0'],
  rendered_too_late: [451, '4.3.0'],
  batch_too_costly: [554, '5.6.0'],
  attachments_unavailable: [554, '5.6.0'],
  recipients_risky: [550, '5.1.1'],
  recipients_suppressed: [550, '5.1.1'],
  limit_exceeded: [450, '4.7.1'],
  some_refused: [554, '5.6.0'],
  disk_full: [452, '4.3.1'],
  overloaded: [451, '4.3.0'],
};

export function refusal(refused: Refused): Reply {
  const [code, enhanced] = CODES[refused.kind];
  const error = refusalError(refused);
  return refusing(error.code, code, enhanced, plain(wordsOf(refused, error)));
}

/** Refusals whose details name the problem. */
const NAMING: readonly Refused['kind'][] = ['recipients_risky', 'recipients_suppressed', 'policy_refused'];

/** The API's message with its details for each recipient. */
function wordsOf(refused: Refused, error: ApiError | ServiceError): string {
  if (!NAMING.includes(refused.kind)) return error.message;
  const details = error instanceof ApiError ? error.details : error.problems;
  return details.map(({ message }) => message).join('; ');
}

/** RFC 5321, 4.5.3.1.5: a line has at most 512 octets. */
const MAX_CHARS = 480;

/** One line of ASCII, regardless of the addresses and names in it. */
function plain(words: string): string {
  return words.replace(/[^\x20-\x7e]+/g, '?').slice(0, MAX_CHARS);
}
