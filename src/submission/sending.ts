/** Sending on behalf of one organization: one email, or one template to many. */

import { decodeFiles } from '../emails/attached-files.ts';
import type { NewEmail } from '../emails/email.ts';
import type { RequestKey } from '../emails/idempotency-store.ts';
import { brokenText } from '../emails/rendered-content.ts';
import type { SendBody, TemplateTestBody } from '../emails/schema.ts';
import { sendView } from '../emails/view.ts';
import type { Sql } from '../kit/database/sql.ts';
import { ApiError, UnavailableError } from '../kit/http/errors.ts';
import type { Principal } from '../kit/http/principal.ts';
import { Problems } from '../kit/problems.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import type { Problem, ServiceError, ServiceErrorOptions } from '../kit/service-error.ts';
import type { TemplateData } from '../kit/template-language/render.ts';
import { type CompiledPart, compilePart } from '../kit/template-language/template.ts';
import { BatcherFullError } from '../kit/work-loop/batcher.ts';
import type { AutoValidation, RefusedRecipient } from '../organizations/settings/auto-validation.ts';
import type { OpenTracking } from '../organizations/settings/open-tracking.ts';
import type { SendableTemplate, TemplateLibrary } from '../templates/library.ts';
import type { Acceptor, AcceptResult, Submission } from './accept.ts';
import { toNewEmail } from './new-email.ts';
import { refusalError } from './refusal-error.ts';
import { fillTemplate } from './templated.ts';

export interface SendingDeps {
  readonly db: Sql;
  readonly acceptor: Acceptor;
  readonly templates: TemplateLibrary;
  readonly autoValidation: Pick<AutoValidation, 'refusedAmong'>;
  readonly openTracking: Pick<OpenTracking, 'isOn'>;
  readonly clock: Clock;
  /** Whether the disk can take more mail. */
  readonly hasRoom: () => boolean;
}

/** Somebody has to make room first. */
const NO_ROOM_RETRY_SECONDS = 60;
/** An overloaded server says so at once, and soon has room again. */
const FULL_RETRY_SECONDS = 1;

/** Accepts one email. When this returns, it is on disk, and so is the answer if it is to be kept under a key. */
export async function sendOne(
  deps: SendingDeps,
  principal: Principal,
  body: SendBody,
  key: RequestKey | null,
) {
  const files = await decodeFiles(body.attachments);
  const plain = toNewEmail(principal, body, deps.clock.nowMs(), { files });
  checkKeyDomain(principal, plain.fromDomain);
  const { template_id: id, template_data: data = {} } = body;
  const email = id === undefined ? plain : await fromTemplate(deps, plain, id, body.subject, data);
  return acceptOne(deps, await tracked(deps, email, body.track_opens), key);
}

/** What the request says wins over the organization's setting; mail without html has nothing to track. */
async function tracked(deps: SendingDeps, email: NewEmail, asked: boolean | undefined): Promise<NewEmail> {
  if (asked !== undefined || (email.html === null && email.template === null)) return email;
  return { ...email, trackOpens: await deps.openTracking.isOn(email.organizationId) };
}

/** Sends a saved template to one address as it is, subject and all: how it looks in a real inbox. */
export async function sendTemplateTest(
  deps: SendingDeps,
  principal: Principal,
  id: string,
  body: TemplateTestBody,
) {
  const { data = {}, to, from } = body;
  const plain = toNewEmail(principal, { from, to: [to], subject: '' }, deps.clock.nowMs());
  checkKeyDomain(principal, plain.fromDomain);
  return acceptOne(
    deps,
    await tracked(deps, await fromTemplate(deps, plain, id, null, data), undefined),
    null,
  );
}

async function acceptOne(deps: SendingDeps, email: NewEmail, key: RequestKey | null) {
  await screenRecipients(deps, email);
  const answer = { status: 201, body: { data: sendView(email) } };
  const completion = key && {
    key,
    answer: ([result]: readonly AcceptResult[]) => (result?.kind === 'accepted' ? answer : null),
  };
  const [result] = await accept(deps, { emails: [email], completion });
  if (result && result.kind !== 'accepted') throw refusalError(result, email);
  return answer;
}

/** Every recipient counts, in the order of the request; nothing is stored when one is refused. */
async function screenRecipients({ autoValidation }: SendingDeps, email: NewEmail): Promise<void> {
  const addresses = email.recipients.map(({ address }) => address);
  const refused = await autoValidation.refusedAmong(email.organizationId, addresses);
  if (refused.length > 0) throw new ApiError('RECIPIENTS_REJECTED', refusedFields(email, refused));
}

async function fromTemplate(
  deps: SendingDeps,
  plain: NewEmail,
  id: string,
  subject: string | null,
  data: TemplateData,
): Promise<NewEmail> {
  const template = await findActive(deps, plain.organizationId, id);
  const filled = await fillTemplate(
    template,
    subject === null ? null : subjectOf(subject),
    data,
    'template_data',
  );
  if (!filled.ok) throw validationError(filled.problems);
  return { ...plain, subject: filled.subject, template: filled.template };
}

export async function findActive(
  deps: SendingDeps,
  organizationId: string,
  id: string,
): Promise<SendableTemplate> {
  const found = await deps.templates.active(organizationId, id);
  if (found === null) throw new ApiError('NOT_FOUND', [], 'There is no such template.');
  const { saved, ...template } = found;
  if (saved.ok) return { ...template, compiled: saved.template };
  throw new ApiError('CONFLICT', [], `The template has to be changed first. ${brokenText(saved.errors)}`);
}

/** A subject given beside a template may hold variables of its own. */
export function subjectOf(text: string): CompiledPart {
  const result = compilePart('subject', text);
  if (result.ok) return result.template;
  throw validationError(
    result.errors.map(({ column, message }) => ({
      field: 'subject',
      message: `column ${column}: ${message}`,
    })),
    { ofRequestAlone: true },
  );
}

export function checkKeyDomain(principal: Principal, domain: string): void {
  if (principal.domain === null || principal.domain === domain) return;
  throw new ApiError('FORBIDDEN', [], `This API key may send only from addresses at ${principal.domain}.`);
}

export async function accept(
  { acceptor, hasRoom }: SendingDeps,
  submission: Submission,
): Promise<readonly AcceptResult[]> {
  if (!hasRoom()) throw noRoom();
  try {
    return await acceptor.accept(submission);
  } catch (error) {
    throw error instanceof BatcherFullError ? new UnavailableError(error, FULL_RETRY_SECONDS) : error;
  }
}

function noRoom(): ApiError {
  const message = 'The disk of this server is nearly full, so it takes no new mail for now.';
  return new ApiError('UNAVAILABLE', [], message, { retryAfterSeconds: NO_ROOM_RETRY_SECONDS });
}

/** Each place of the request that names one of them. */
function refusedFields({ addresses }: NewEmail, refused: readonly RefusedRecipient[]): Problem[] {
  const known = new Map(refused.map((one) => [one.email.toLowerCase(), one]));
  return (['to', 'cc', 'bcc'] as const).flatMap((kind) =>
    addresses[kind].flatMap(({ email }, index) => {
      const found = known.get(email.toLowerCase());
      return found ? [{ field: `${kind}[${index}].email`, message: refusedText(found) }] : [];
    }),
  );
}

export function refusedText({ email, score, reason }: RefusedRecipient): string {
  return `${email} has a risk score of ${score.toFixed(2)}: ${reason}`;
}

function validationError(
  problems: readonly { readonly field: string; readonly message: string }[],
  options: ServiceErrorOptions = {},
): ServiceError {
  const all = new Problems();
  for (const { field, message } of problems) all.add(field, message);
  return all.toError(options);
}
