/**
 * Batch send: one template to up to 1,000 recipients, each with data of its own, in one transaction. The content is
 * stored once, as the template's version; an email keeps only its data. A recipient that cannot be accepted is
 * rejected alone, by its index; what is wrong with the request as a whole refuses all of it.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { BatchBody } from '../emails/batch-schema.ts';
import type { NewEmail } from '../emails/email.ts';
import { rememberEmptyBatch } from '../emails/empty-batches.ts';
import { MAX_NAME_CHARS } from '../emails/fields-schema.ts';
import type { RequestKey } from '../emails/idempotency-store.ts';
import { ApiError } from '../kit/http/errors.ts';
import type { Principal } from '../kit/http/principal.ts';
import { isSendable, parseAddress } from '../kit/message/address.ts';
import { findUnwritable } from '../kit/message/unsafe-text.ts';
import { newId } from '../kit/runtime/ids.ts';
import type { CompiledPart } from '../kit/template-language/template.ts';
import type { SendableTemplate } from '../templates/library.ts';
import type { AcceptResult } from './accept.ts';
import type { Refusal } from './gates/gates.ts';
import { type ReadMailbox, readMailbox, toNewEmail } from './new-email.ts';
import { refusalError } from './refusal-error.ts';
import { accept, checkKeyDomain, findActive, refusedText, type SendingDeps, subjectOf } from './sending.ts';
import { fillTemplate } from './templated.ts';

/** Rendering a thousand takes long enough that others must get a turn in between. */
const BREATHE_AFTER_MS = 5;
/** About a second of one core: a hundred full renders, or a thousand with a tenth of what each may take. */
const MAX_STEPS = 20_000_000;

interface Rejection {
  readonly index: number;
  readonly error: string;
}

interface Prepared {
  readonly emails: readonly { readonly index: number; readonly email: NewEmail }[];
  readonly rejected: readonly Rejection[];
}

export async function sendBatch(
  deps: SendingDeps,
  principal: Principal,
  body: BatchBody,
  key: RequestKey | null,
) {
  checkKeyDomain(principal, readMailbox(body.from).address.domain);
  const template = await findActive(deps, principal.organizationId, body.template_id);
  const batchId = newId('batch');
  const prepared = await screen(deps, principal, await prepare(deps, principal, body, template, batchId));
  const answer = (results: readonly AcceptResult[]) => ({
    status: 201,
    body: { data: batchView(batchId, body.recipients.length, prepared, results) },
  });
  const emails = prepared.emails.map(({ email }) => email);
  const completion = key && {
    key,
    answer: (results: readonly AcceptResult[]) => (wholeRefusal(results) ? null : answer(results)),
  };
  const results = await accept(deps, { emails, completion });
  const refusal = wholeRefusal(results);
  if (refusal && emails[0]) throw refusalError(refusal, emails[0]);
  if (!results.some(({ kind }) => kind === 'accepted')) await remember(deps, principal, batchId, body);
  return answer(results);
}

/** No email of it tells that the batch was there. */
function remember({ db, clock }: SendingDeps, principal: Principal, id: string, { from }: BatchBody) {
  const fromEmail = readMailbox(from).address.email;
  const { organizationId, keyId } = principal;
  return rememberEmptyBatch(db, { organizationId, keyId, id, fromEmail, createdAtMs: clock.nowMs() });
}

async function prepare(
  deps: SendingDeps,
  principal: Principal,
  body: BatchBody,
  template: SendableTemplate,
  batchId: string,
): Promise<Prepared> {
  const subject = body.subject === undefined ? null : subjectOf(body.subject);
  const { template_id: _template, recipients: _recipients, subject: _subject, ...asked } = body;
  const track_opens = asked.track_opens ?? (await deps.openTracking.isOn(principal.organizationId));
  const shared = { ...asked, track_opens };
  const common = { template, subject, batchId, shared, sender: readMailbox(shared.from) };
  const emails: { index: number; email: NewEmail }[] = [];
  const rejected: Rejection[] = [];
  const effort = new Effort();
  for (const [index, recipient] of body.recipients.entries()) {
    await effort.breathe();
    const made = await makeEmail(deps, principal, recipient, common, (steps) => effort.add(steps, index));
    if (typeof made === 'string') rejected.push({ index, error: made });
    else emails.push({ index, email: made });
  }
  return { emails, rejected };
}

/** What one request has others wait for: never long at a time, and not for ever in all. */
class Effort {
  #steps = 0;
  #sinceMs = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#sinceMs < BREATHE_AFTER_MS) return;
    await breathe();
    this.#sinceMs = performance.now();
  }

  add(steps: number, index: number): void {
    this.#steps += steps;
    if (this.#steps <= MAX_STEPS) return;
    const message =
      'rendering for the recipients up to this one takes all that one request may: send fewer recipients in a request, or less data';
    throw new ApiError('VALIDATION_ERROR', [{ field: `recipients[${index}]`, message }]);
  }
}

/** Auto-validation, for all recipients together; those it refuses are rejected one by one. */
async function screen(
  { autoValidation }: SendingDeps,
  principal: Principal,
  prepared: Prepared,
): Promise<Prepared> {
  const addresses = prepared.emails.map(({ email }) => addressOf(email));
  const refused = await autoValidation.refusedAmong(principal.organizationId, addresses);
  if (refused.length === 0) return prepared;
  const texts = new Map(refused.map((one) => [one.email, refusedText(one)]));
  const kept = prepared.emails.filter(({ email }) => !texts.has(addressOf(email)));
  const rejected = prepared.emails.flatMap(({ index, email }) => {
    const error = texts.get(addressOf(email));
    return error === undefined ? [] : [{ index, error }];
  });
  return { emails: kept, rejected: [...prepared.rejected, ...rejected] };
}

/** An email of a batch has exactly one recipient. */
function addressOf(email: NewEmail): string {
  return email.recipients[0]?.address ?? '';
}

interface Common {
  readonly template: SendableTemplate;
  readonly subject: CompiledPart | null;
  readonly batchId: string;
  readonly sender: ReadMailbox;
  /** What all emails of the batch have alike. */
  readonly shared: Omit<BatchBody, 'template_id' | 'recipients' | 'subject'>;
}

/** The email, or why this recipient cannot have one. */
async function makeEmail(
  { clock }: SendingDeps,
  principal: Principal,
  recipient: BatchBody['recipients'][number],
  { template, subject, batchId, shared, sender }: Common,
  spend: (steps: number) => void,
): Promise<NewEmail | string> {
  const problem = mailboxProblem(recipient.to);
  if (problem !== null) return problem;
  const filled = await fillTemplate(template, subject, recipient.data ?? {}, 'data');
  spend(filled.steps);
  if (!filled.ok) return filled.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
  const email = toNewEmail(
    principal,
    { ...shared, to: [recipient.to], subject: filled.subject },
    clock.nowMs(),
    { sender },
  );
  return { ...email, template: filled.template, batchId };
}

function mailboxProblem({ email, name }: BatchBody['recipients'][number]['to']): string | null {
  const parsed = parseAddress(email);
  if (!parsed.ok) return parsed.message;
  if (!isSendable(parsed)) return 'Addresses with an IP address in place of a domain cannot be mailed.';
  if (name === undefined) return null;
  if (name.length > MAX_NAME_CHARS) return `The name is longer than ${MAX_NAME_CHARS} characters.`;
  return findUnwritable(name) ? 'The name contains control characters.' : null;
}

/** What is wrong with all of it: the sender or the limit. Then nothing was stored. */
function wholeRefusal(results: readonly AcceptResult[]): Refusal | null {
  const found = results.find(
    (result) => result.kind === 'domain_not_verified' || result.kind === 'limit_exceeded',
  );
  return found ?? null;
}

function batchView(batchId: string, total: number, prepared: Prepared, results: readonly AcceptResult[]) {
  const refused = prepared.emails.flatMap(({ index, email }, at) => {
    const result = results[at];
    if (!result || result.kind === 'accepted') return [];
    return [{ index, error: refusalError(result, email).message }];
  });
  const rejected = [...prepared.rejected, ...refused].sort((a, b) => a.index - b.index);
  return { batch_id: batchId, total, accepted: total - rejected.length, rejected };
}
