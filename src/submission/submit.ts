/**
 * Submission: a draft becomes an accepted email, or is refused. Every entry point ends here, and this module depends on no
 * protocol.
 */

import type { NewEmail, Submitter } from '../emails/email.ts';
import type { DescribedHold } from '../interventions/holds/store.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import { isBlank } from '../protocols/message/subject.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PolicyInForce } from '../runtime/permissions.ts';
import { type OnStage, timed, untimed } from '../runtime/stage-metrics.ts';
import type { OpenSpan, Tracer } from '../runtime/tracing.ts';
import { BatcherFullError } from '../runtime/work-loop/batcher.ts';
import type { TemplateLibrary } from '../templates/library.ts';
import { applyDefaults, type DefaultSettings } from './defaults.ts';
import type { Draft, FilledContent, TemplatedContent } from './draft.ts';
import type { AcceptResult, EmailAcceptor, Submission } from './email-acceptor.ts';
import { asAllowed, isTemplatesOnly, policyGate, templateGate } from './gates/policy.ts';
import { tieGate } from './gates/sender.ts';
import { type Validates, validationGate } from './gates/validation.ts';
import type { IdempotencyRef, StoredAnswer } from './idempotency/store.ts';
import type { Fetching, LinkedFiles } from './linked-files.ts';
import { toNewEmail } from './new-email.ts';
import type { DiskFull, Overloaded, Refused } from './refused.ts';
import { type AnswerPlaces, answersOf } from './reply-addresses.ts';
import { type StreamDefaults, streamedAs } from './streamed.ts';
import { blankSubject, chooseTemplate, fillTemplate, type RequestRenderBudget } from './templated.ts';

export interface SubmissionDeps extends DefaultSettings, StreamDefaults, AnswerPlaces {
  readonly acceptor: EmailAcceptor;
  readonly templates: TemplateLibrary;
  readonly autoValidation: Validates;
  readonly files: LinkedFiles;
  readonly clock: Clock;
  readonly onStage?: OnStage;
  readonly tracer?: Tracer | undefined;
  /** Whether the disk has room for more mail. */
  readonly hasDiskSpace: () => boolean;
  /** Finds the hold that will keep each of these emails of one organization. Left out if answers do not report holds. */
  readonly holdsOn?:
    | ((emails: readonly NewEmail[]) => Promise<readonly (DescribedHold | null)[]>)
    | undefined;
}

/** The sender, without the credentials that proved its identity. */
export interface Sender extends Submitter {
  /** The only domain the sender may use, or null if it may use any domain of its organization. */
  readonly tiedTo: DomainName | null;
  /** The agent that owns the key. Its idempotency keys and its request allowance are its own. */
  readonly agent?: string | null;
  /** Restricts what the sender may send; null if nothing is restricted. */
  readonly policy: PolicyInForce | null;
}

/** A run that was begun under a key: accepting and storing its answer share one transaction. */
export interface Idempotency<Outcome> {
  readonly run: IdempotencyRef;
  readonly answer: (accepted: Outcome) => StoredAnswer;
}

export interface Accepted {
  readonly kind: 'accepted';
  readonly id: string;
  readonly createdAtMs: number;
  /** The hold that will keep the email, or some of its recipients, from being sent. */
  readonly hold?: DescribedHold | null;
}

/** After this returns `accepted`, the email is on disk, and so is its answer if it has a key. */
export async function submit(
  deps: SubmissionDeps,
  sender: Sender,
  draft: Draft,
  idempotency: Idempotency<Accepted> | null = null,
): Promise<Accepted | Refused> {
  return deps.files.during(sender.organizationId, async (fetching) => {
    const made = await makeEmail(deps, sender, draft, { batchId: null, fetching });
    return made.kind === 'made' ? accept(deps, made.email, idempotency) : made;
  });
}

async function accept(
  deps: SubmissionDeps,
  email: NewEmail,
  idempotency: Idempotency<Accepted> | null,
): Promise<Accepted | Refused> {
  const risky = await validationGate(deps.autoValidation, email);
  if (risky !== null) return risky;
  const [hold = null] = await expectedHolds(deps, [email]);
  const accepted: Accepted = { kind: 'accepted', id: email.id, createdAtMs: email.createdAtMs, hold };
  const outcomeOf = (results: readonly AcceptResult[]) => {
    const result = results[0] as AcceptResult;
    return result.kind === 'accepted' ? accepted : result;
  };
  const stored = await store(deps, {
    emails: [email],
    completion: idempotency && completionOf(idempotency, outcomeOf),
  });
  return stored.kind === 'stored' ? outcomeOf(stored.results) : stored;
}

/** In the order given. If holds cannot be read, the answer omits the hold instead of failing the send. */
export async function expectedHolds(
  { holdsOn: find }: Pick<SubmissionDeps, 'holdsOn'>,
  emails: readonly NewEmail[],
): Promise<readonly (DescribedHold | null)[]> {
  if (find === undefined || emails.length === 0) return [];
  return find(emails).catch(() => []);
}

/** An email that passed every check that needs no recipients. */
export interface MadeEmail {
  readonly kind: 'made';
  readonly email: NewEmail;
}

/** The state that the emails of a request share while they are built. */
export interface Making {
  readonly batchId: string | null;
  readonly fetching: Fetching;
  /** The render budget, if the request has several emails. */
  readonly effort?: RequestRenderBudget;
}

export async function makeEmail(
  deps: SubmissionDeps,
  sender: Sender,
  draft: Draft,
  { batchId, fetching, effort }: Making,
): Promise<MadeEmail | Refused> {
  const notAllowed = tieGate(sender.tiedTo, draft.from) ?? policyGate(sender.policy, draft);
  if (notAllowed !== null) return notAllowed;
  const content = await contentOf(deps, sender, draft.content, effort);
  if (content.kind !== 'inline' && content.kind !== 'mime' && content.kind !== 'filled') return content;
  const streamed = await streamedAs(deps, sender.organizationId, draft);
  if (streamed.kind !== 'streamed') return streamed;
  const attached = await fetching.attached(draft.attachments);
  if (attached.kind !== 'attached') return attached;
  const from = { organizationId: sender.organizationId, fromDomain: draft.from.address.domain };
  const defaults = await applyDefaults(deps, from, draft, hasHtml(draft.content));
  const answers = await answersOf(deps, from, draft);
  const found = {
    nowMs: deps.clock.nowMs(),
    batchId,
    attachments: attached.files,
    defaults,
    streamed,
    answers,
  };
  return { kind: 'made', email: toNewEmail(sender, draft, content, found) };
}

function contentOf(
  deps: SubmissionDeps,
  sender: Sender,
  content: Draft['content'],
  effort: RequestRenderBudget | undefined,
) {
  if (content.kind === 'template') return fill(deps, sender, content, effort);
  return content.kind === 'filled' ? mayStillBeSent(deps, sender, content) : content;
}

/** Refuses a deleted template, and one that the policy of the key no longer lists. */
async function mayStillBeSent(
  { templates }: SubmissionDeps,
  { organizationId, policy }: Sender,
  content: FilledContent,
): Promise<FilledContent | Refused> {
  const found = await templates.active(organizationId, content.template.id);
  if (found === null) return { kind: 'template_not_found', at: 'template' };
  const notAllowed = templateGate(policy, found);
  if (notAllowed !== null) return notAllowed;
  if (!isTemplatesOnly(policy)) return content;
  const { ownSubject = content.subject } = content;
  return isBlank(ownSubject) ? blankSubject() : { ...content, subject: ownSubject };
}

async function fill(
  { templates }: SubmissionDeps,
  { organizationId, policy }: Sender,
  content: TemplatedContent,
  effort: RequestRenderBudget | undefined,
): Promise<FilledContent | Refused> {
  const chosen = await chooseTemplate(templates, organizationId, asAllowed(policy, content));
  if (chosen.kind !== 'chosen') return chosen;
  const notAllowed = templateGate(policy, chosen.template);
  if (notAllowed !== null) return notAllowed;
  const { result, steps } = await fillTemplate(chosen, content.data, content.locale);
  effort?.spend(steps);
  return result;
}

function hasHtml(content: Draft['content']): boolean {
  if (content.kind === 'mime') return content.hasHtml;
  return content.kind !== 'inline' || content.html !== null;
}

/** A refusal is not stored: once its cause is gone, the same draft must work. */
export function completionOf<Outcome extends { readonly kind: 'accepted' }>(
  { run, answer }: Idempotency<Outcome>,
  outcomeOf: (results: readonly AcceptResult[]) => Outcome | Refused,
): NonNullable<Submission['completion']> {
  return {
    key: run,
    answer: (results) => {
      const outcome = outcomeOf(results);
      return outcome.kind === 'accepted' ? answer(outcome) : null;
    },
  };
}

export async function store(
  { acceptor, hasDiskSpace, onStage = untimed, tracer }: SubmissionDeps,
  submission: Submission,
): Promise<{ readonly kind: 'stored'; readonly results: readonly AcceptResult[] } | DiskFull | Overloaded> {
  if (!hasDiskSpace()) return { kind: 'disk_full' };
  const traced = traceAccept(tracer, submission);
  try {
    const results = await timed(onStage, 'accept', () => acceptor.accept(traced.submission));
    return { kind: 'stored', results };
  } catch (error) {
    if (error instanceof BatcherFullError) return { kind: 'overloaded' };
    throw error;
  } finally {
    traced.span?.end();
  }
}

/** The span of accepting. Later spans of the emails are its children, so the span is stored with each email. */
interface TracedSubmission {
  readonly submission: Submission;
  readonly span: OpenSpan | null;
}

/** A request without a trace has no span. Mail that arrives without a request starts a new trace. */
function traceAccept(tracer: Tracer | undefined, submission: Submission): TracedSubmission {
  const [first] = submission.emails;
  const origin = first?.options.origin;
  const isLeftOut = origin !== undefined && origin.traceparent === undefined;
  if (tracer === undefined || first === undefined || isLeftOut) return { submission, span: null };
  const span = tracer.begin({
    name: 'accept',
    kind: 'producer',
    parent: origin?.traceparent ?? null,
    attributes: { 'postrider.email_id': first.id, 'postrider.emails': submission.emails.length },
  });
  if (span === null) return { submission, span };
  const { traceparent } = span;
  const emails = submission.emails.map((email) => ({
    ...email,
    options: { ...email.options, origin: { ...email.options.origin, traceparent } },
  }));
  return { submission: { ...submission, emails }, span };
}
