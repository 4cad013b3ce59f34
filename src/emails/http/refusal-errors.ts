/** The error, with its text, for each reason why a submission is refused. SMTP submission and the dialects use these texts too. */

import { ApiError, apiErrorOf, type ErrorCode, UnavailableError } from '../../http/errors.ts';
import { joinField, Problems } from '../../runtime/problems.ts';
import type { Problem, ServiceError } from '../../runtime/service-error.ts';
import type { LimitExceeded } from '../../submission/gates/limit.ts';
import type { PolicyPlace, PolicyRefused } from '../../submission/gates/policy.ts';
import type { AtRecipient } from '../../submission/gates/refused-recipients.ts';
import type { RecipientsSuppressed } from '../../submission/gates/suppression.ts';
import type { RecipientsRisky } from '../../submission/gates/validation.ts';
import type {
  AttachmentsUnavailable,
  DataRefused,
  Refused,
  SubjectBroken,
} from '../../submission/refused.ts';
import type { StreamUnknown } from '../../submission/streamed.ts';
import type { BatchAccepted, Rejection } from '../../submission/submit-batch.ts';
import type { BatchRequest } from './send-request.ts';

export const SENDING_ERRORS = [
  'DOMAIN_NOT_VERIFIED',
  'RECIPIENTS_SUPPRESSED',
  'RECIPIENTS_REJECTED',
  'NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_CONFLICT',
  'LIMIT_EXCEEDED',
] as const;

/** An operator has to free disk space first. */
const NO_ROOM_RETRY_SECONDS = 60;
/** An overloaded server refuses at once, and soon has capacity again. */
const FULL_RETRY_SECONDS = 1;
/** The machine is temporarily overloaded. */
const LATE_RETRY_SECONDS = 1;

const NO_ROOM =
  'The disk of this server is nearly full, so the server accepts no new mail. Try again later; the operator has to free disk space.';
const TOO_COSTLY =
  'rendering up to this recipient takes longer than one request may: send fewer recipients per request, or less data';
const ALL_TOO_COSTLY =
  'rendering the templates takes longer than one request may: send fewer emails per request, or less data';

/** `places`: the indexes of a batch's recipients in the request. */
export function refusalError(refused: Refused, places: readonly number[] = []): ApiError | ServiceError {
  switch (refused.kind) {
    case 'sender_not_allowed':
      return new ApiError('FORBIDDEN', [], senderNotAllowed(refused.tiedTo));
    case 'policy_refused':
      return policyRefused(refused, places);
    case 'domain_not_verified':
      return domainNotVerified(refused.domain);
    case 'stream_unknown':
      return streamUnknown(refused);
    case 'template_not_found':
      return templateNotFound();
    case 'template_broken':
      return new ApiError('CONFLICT', [], `Change the template: it cannot be rendered. ${refused.message}`);
    case 'subject_broken':
      return subjectBroken(refused);
    case 'data_refused':
      return dataRefused(refused);
    case 'rendered_too_late':
      return new ApiError('UNAVAILABLE', [], refused.message, { retryAfterSeconds: LATE_RETRY_SECONDS });
    case 'batch_too_costly':
      return tooCostly(places[refused.at.recipient]);
    case 'attachments_unavailable':
      return unavailable(refused);
    case 'recipients_risky':
      return new ApiError('RECIPIENTS_REJECTED', refused.recipients.map(atField(riskText)));
    case 'recipients_suppressed':
      return suppressed(refused);
    case 'limit_exceeded':
      return limitExceeded(refused);
    case 'some_refused':
      return emailsRefused(
        refused.refusals.map(({ draft, refused: one }) => ({ index: draft, error: refusalError(one) })),
      );
    case 'disk_full':
      return new ApiError('UNAVAILABLE', [], NO_ROOM, { retryAfterSeconds: NO_ROOM_RETRY_SECONDS });
    case 'overloaded':
      return new UnavailableError(new Error('Too much mail is waiting to be stored.'), FULL_RETRY_SECONDS);
  }
}

export interface RefusedEmail {
  /** Its index in the request. */
  readonly index: number;
  readonly error: ApiError | ServiceError;
}

/** For an all-or-none request. The code, and so the status, is that of the first refused email. */
export function emailsRefused(refused: readonly RefusedEmail[]): ApiError {
  const [first, another] = refused;
  if (first === undefined) throw new Error('No email was refused.');
  const error = apiErrorOf(first.error);
  const message = another
    ? `${refused.length} of the emails were refused, so no email was accepted; see details.`
    : `${placeOf(first)} was refused, so no email was accepted. ${error.message}`;
  return new ApiError(error.code, problemsOfEmails(refused), message, error);
}

/**
 * For emails that are refused while others are accepted; null if none is refused. For the log only: each email has its own
 * answer.
 */
export function someEmailsRefused(refused: readonly RefusedEmail[], total: number): ApiError | null {
  const [first] = refused;
  if (first === undefined) return null;
  const message = `${refused.length} of ${total} emails were refused.`;
  return new ApiError(apiErrorOf(first.error).code, problemsOfEmails(refused), message);
}

function problemsOfEmails(refused: readonly RefusedEmail[]): readonly Problem[] {
  const all = new Problems();
  for (const one of refused) {
    const place = placeOf(one);
    const { details, message } = apiErrorOf(one.error);
    for (const problem of details)
      all.add(problem.field === 'body' ? place : joinField(place, problem.field), problem.message);
    if (details.length === 0) all.add(place, message);
  }
  return all.list;
}

function placeOf({ index }: RefusedEmail): string {
  return `emails[${index}]`;
}

/** For recipients of a batch that are rejected while others are accepted; null if none is. For the log only. */
export function someRecipientsRefused(
  { places, unusable }: BatchRequest,
  { rejected }: BatchAccepted,
): ApiError | null {
  const refused = rejected.map(({ recipient, refused: why }) => ({
    index: places[recipient] as number,
    code: REJECTIONS[why.kind],
    message: rejectionText(why),
  }));
  const wrong = unusable.map(({ index, error }) => ({
    index,
    code: REJECTIONS.data_refused,
    message: error,
  }));
  const all = [...refused, ...wrong];
  const [first] = all;
  if (first === undefined) return null;
  const details = all.map(({ index, message }) => ({ field: `recipients[${index}]`, message }));
  const message = `${all.length} of ${places.length + unusable.length} recipients were refused.`;
  return new ApiError(first.code, details, message);
}

const REJECTIONS = {
  data_refused: 'VALIDATION_ERROR',
  recipients_risky: 'RECIPIENTS_REJECTED',
  recipients_suppressed: 'RECIPIENTS_SUPPRESSED',
} as const satisfies Record<Rejection['refused']['kind'], ErrorCode>;

/** Why one recipient of a batch is rejected. */
export function rejectionText(refused: Rejection['refused']): string {
  switch (refused.kind) {
    case 'data_refused':
      return problemsOf(refused, 'data')
        .map(({ field, message }) => `${field} ${message}`)
        .join('; ');
    case 'recipients_risky':
      return refused.recipients.map(riskText).join('; ');
    case 'recipients_suppressed':
      return suppressed(refused).message;
  }
}

const BY_POLICY = 'The policy of this API key does not allow this email; see details.';

function policyRefused({ problems }: PolicyRefused, places: readonly number[]): ApiError {
  const [only, another] = problems;
  const sentence = only && !another ? `${only.message.replace(/^t/, 'T')}.` : BY_POLICY;
  const all = new Problems();
  for (const { at, message } of problems) all.add(fieldOfPolicy(at, places), message);
  return new ApiError('FORBIDDEN', all.list, sentence);
}

function fieldOfPolicy(at: PolicyPlace, places: readonly number[]): string {
  if (at === 'content') return 'body';
  if (at === 'template') return 'template_id';
  if (typeof at === 'string') return at;
  if ('nameOf' in at) return `${mailboxOfPolicy(at.nameOf, places)}.name`;
  if ('header' in at) return `headers.${at.header}`;
  return 'replyTo' in at
    ? `reply_to[${at.replyTo}].${at.part ?? 'email'}`
    : `${mailboxOfPolicy(at, places)}.email`;
}

function mailboxOfPolicy(
  at: AtRecipient['at'] | { readonly recipient: number },
  places: readonly number[],
): string {
  return 'list' in at ? `${at.list}[${at.index}]` : `recipients[${places[at.recipient] ?? at.recipient}].to`;
}

function senderNotAllowed(tiedTo: string): string {
  return `This API key can send only from addresses at ${tiedTo}. Change the sender, or use another key.`;
}

function templateNotFound(): ApiError {
  const message =
    'is not the id or the alias of an active template of this organization: GET /templates lists the templates';
  return new ApiError(
    'NOT_FOUND',
    [{ field: 'template_id', message }],
    'No active template has this id or alias. GET /templates lists the templates.',
  );
}

function streamUnknown({ stream, known }: StreamUnknown): ApiError {
  const message = `There is no stream ${stream}; the streams are ${known.join(', ')}. Use one of these, or create the stream with POST /streams.`;
  return new ApiError('VALIDATION_ERROR', [{ field: 'stream', message }], message);
}

function domainNotVerified(domain: string): ApiError {
  return new ApiError(
    'DOMAIN_NOT_VERIFIED',
    [{ field: 'from.email', message: `${domain} is not a verified domain of this organization` }],
    `Mail from ${domain} cannot be sent: register the domain and verify it first.`,
  );
}

function subjectBroken({ problems }: SubjectBroken): ServiceError {
  const all = new Problems();
  for (const { column, message } of problems) all.add('subject', `column ${column}: ${message}`);
  return all.toError({ ofRequestAlone: true });
}

function dataRefused(refused: DataRefused): ServiceError {
  const all = new Problems();
  for (const { field, message } of problemsOf(refused, 'template_data')) all.add(field, message);
  return all.toError();
}

function problemsOf({ problems }: DataRefused, data: string) {
  return problems.map(({ at, message }) => ({
    field: at === 'subject' ? at : joinField(data, at.inData),
    message,
  }));
}

/** For a request with emails instead of recipients, the error concerns the whole request. */
function tooCostly(index: number | undefined): ApiError {
  const problem =
    index === undefined
      ? { field: 'body', message: ALL_TOO_COSTLY }
      : { field: `recipients[${index}]`, message: TOO_COSTLY };
  return new ApiError('VALIDATION_ERROR', [problem]);
}

/** Not the request's fault: a later request may find the file at its URL. */
function unavailable({ problems }: AttachmentsUnavailable): ServiceError {
  const all = new Problems();
  for (const { at, message } of problems) all.add(`attachments[${at.attachment}].url`, message);
  return all.toError();
}

function suppressed({ recipients }: RecipientsSuppressed): ApiError {
  const fields = recipients.map(atField(suppressionText));
  const [only, another] = fields;
  const sentence = only && !another ? `${only.message}.` : undefined;
  return new ApiError('RECIPIENTS_SUPPRESSED', fields, sentence);
}

function limitExceeded({ of, limit, used, asked, resetsInMs }: LimitExceeded): ApiError {
  const which = of === 'organization' ? 'The sending limit' : `The budget of this ${of}`;
  return new ApiError(
    'LIMIT_EXCEEDED',
    [],
    `${which} is ${limit} recipients per day (UTC), ${used} are used, and this email has ${asked}. The count starts again at midnight UTC.`,
    { retryAfterSeconds: Math.ceil(resetsInMs / 1000) },
  );
}

function atField<T extends AtRecipient>(text: (recipient: T) => string) {
  return (recipient: T) => {
    const { list, index } = recipient.at;
    return { field: `${list}[${index}].email`, message: text(recipient) };
  };
}

function riskText({ email, score, reason }: RecipientsRisky['recipients'][number]): string {
  return `${email} has a risk score of ${score.toFixed(2)}: ${reason}`;
}

function suppressionText({ email, group }: RecipientsSuppressed['recipients'][number]): string {
  const why = group === null ? 'is on the suppression list' : `has unsubscribed from the group \`${group}\``;
  return `${email} ${why}`;
}
