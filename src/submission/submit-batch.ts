/**
 * Batch submission: one template for many recipients, each with data of their own, in one transaction. The content is stored
 * once, as the template's version, and so are the attachments; an email keeps only its data. A recipient that cannot be
 * accepted is rejected alone. A problem with the draft as a whole refuses all of it.
 */
import type { NewEmail } from '../emails/email.ts';
import type { DescribedHold } from '../interventions/holds/store.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { newId } from '../runtime/ids.ts';
import { applyDefaults } from './defaults.ts';
import type { BatchDraft } from './draft.ts';
import type { AcceptResult } from './email-acceptor.ts';
import { asAllowed, batchPolicyGate, templateGate } from './gates/policy.ts';
import { tieGate } from './gates/sender.ts';
import type { RecipientsSuppressed } from './gates/suppression.ts';
import { type RecipientsRisky, riskyAmong } from './gates/validation.ts';
import { toNewEmail } from './new-email.ts';
import type { BatchTooCostly, DataRefused, Refused, RenderedTooLate, TemplateBroken } from './refused.ts';
import { answersOf } from './reply-addresses.ts';
import { type StreamUnknown, streamedAs } from './streamed.ts';
import {
  completionOf,
  expectedHolds,
  type Idempotency,
  type Sender,
  type SubmissionDeps,
  store,
} from './submit.ts';
import { type ChosenTemplate, chooseTemplate, fillTemplate, RequestRenderBudget } from './templated.ts';

export interface BatchAccepted {
  readonly kind: 'accepted';
  readonly batchId: string;
  readonly accepted: number;
  /** In the draft's order. */
  readonly rejected: readonly Rejection[];
  /** How many of the accepted emails a hold will keep, and the first of these holds. */
  readonly held?: { readonly emails: number; readonly hold: DescribedHold } | null;
}

export interface Rejection {
  /** Its index among the draft's recipients. */
  readonly recipient: number;
  readonly refused: DataRefused | RecipientsRisky | RecipientsSuppressed;
}

/** The emails that can be submitted, and the rejected recipients. */
interface Made {
  readonly kind: 'made';
  readonly emails: readonly { readonly recipient: number; readonly email: NewEmail }[];
  readonly rejected: readonly Rejection[];
}

export async function submitBatch(
  deps: SubmissionDeps,
  sender: Sender,
  draft: BatchDraft,
  idempotency: Idempotency<BatchAccepted> | null = null,
): Promise<BatchAccepted | Refused> {
  const notAllowed = tieGate(sender.tiedTo, draft.from) ?? batchPolicyGate(sender.policy, draft);
  if (notAllowed !== null) return notAllowed;
  const choice = asAllowed(sender.policy, draft.template);
  const chosen = await chooseTemplate(deps.templates, sender.organizationId, choice);
  if (chosen.kind !== 'chosen') return chosen;
  const notThisOne = templateGate(sender.policy, chosen.template);
  if (notThisOne !== null) return notThisOne;
  return deps.files.during(sender.organizationId, async (fetching) => {
    const attached = await fetching.attached(draft.attachments);
    if (attached.kind !== 'attached') return attached;
    const batch = { id: newId('batch'), chosen, attachments: attached.files };
    return acceptBatch(deps, sender, draft, batch, idempotency);
  });
}

/** The fields that all emails of a batch share. */
interface Batch {
  readonly id: string;
  readonly chosen: ChosenTemplate;
  readonly attachments: readonly Attachment[];
}

async function acceptBatch(
  deps: SubmissionDeps,
  sender: Sender,
  draft: BatchDraft,
  batch: Batch,
  idempotency: Idempotency<BatchAccepted> | null,
): Promise<BatchAccepted | Refused> {
  const made = await makeEmails(deps, sender, draft, batch);
  if (made.kind !== 'made') return made;
  const kept = await screen(deps, sender, made);
  const emails = kept.emails.map(({ email }) => email);
  const holds = await expectedHolds(deps, emails);
  const outcomeOf = (results: readonly AcceptResult[]) => outcome(batch.id, kept, results, holds);
  const stored = await store(deps, {
    emails,
    completion: idempotency && completionOf(idempotency, outcomeOf),
  });
  if (stored.kind !== 'stored') return stored;
  const result = outcomeOf(stored.results);
  if (result.kind === 'accepted' && result.accepted === 0) await remember(deps, sender, draft, batch.id);
  return result;
}

async function makeEmails(
  deps: SubmissionDeps,
  sender: Sender,
  draft: BatchDraft,
  { id: batchId, chosen, attachments: batchAttachments }: Batch,
): Promise<Made | RenderedTooLate | TemplateBroken | BatchTooCostly | StreamUnknown> {
  const streamed = await streamedAs(deps, sender.organizationId, draft);
  if (streamed.kind !== 'streamed') return streamed;
  const emails: { recipient: number; email: NewEmail }[] = [];
  const rejected: Rejection[] = [];
  const effort = new RequestRenderBudget();
  const from = { organizationId: sender.organizationId, fromDomain: draft.from.address.domain };
  const defaults = await applyDefaults(deps, from, draft, true);
  const answers = await answersOf(deps, from, draft);
  const shared = { ...draft, ...TO_NOBODY_ELSE };
  for (const [recipient, { to, data, locale }] of draft.recipients.entries()) {
    await effort.breathe();
    const { result: filled, steps } = await fillTemplate(chosen, data, locale ?? draft.template.locale);
    if (filled.kind === 'rendered_too_late' || filled.kind === 'template_broken') return filled;
    effort.spend(steps);
    if (effort.isTooMuch) return { kind: 'batch_too_costly', at: { recipient } };
    if (filled.kind === 'data_refused') rejected.push({ recipient, refused: filled });
    else {
      const found = {
        nowMs: deps.clock.nowMs(),
        batchId,
        attachments: [],
        batchAttachments,
        defaults,
        streamed,
        answers,
      };
      emails.push({ recipient, email: toNewEmail(sender, { to: [to], ...shared }, filled, found) });
    }
  }
  return { kind: 'made', emails, rejected };
}

const TO_NOBODY_ELSE = { cc: [], bcc: [] } as const;

async function screen(deps: SubmissionDeps, { organizationId }: Sender, made: Made): Promise<Made> {
  const all = made.emails.map(({ email }) => email);
  const risky = await riskyAmong(deps.autoValidation, organizationId, all);
  if (risky.size === 0) return made;
  const rejected = [...risky].map(([at, refused]) => ({
    recipient: made.emails[at]?.recipient ?? at,
    refused,
  }));
  return {
    kind: 'made',
    emails: made.emails.filter((_, at) => !risky.has(at)),
    rejected: [...made.rejected, ...rejected],
  };
}

function outcome(
  batchId: string,
  { emails, rejected }: Made,
  results: readonly AcceptResult[],
  holds: readonly (DescribedHold | null)[],
): BatchAccepted | Refused {
  const refused: Rejection[] = [];
  for (const [at, result] of results.entries()) {
    // The sender and the limit concern every email of the batch, and nothing was stored.
    if (result.kind === 'domain_not_verified' || result.kind === 'limit_exceeded') return result;
    if (result.kind === 'recipients_suppressed')
      refused.push({ recipient: emails[at]?.recipient ?? at, refused: result });
  }
  const all = [...rejected, ...refused].sort((a, b) => a.recipient - b.recipient);
  const held = heldAmong(results, holds);
  return { kind: 'accepted', batchId, accepted: emails.length - refused.length, rejected: all, held };
}

function heldAmong(
  results: readonly AcceptResult[],
  holds: readonly (DescribedHold | null)[],
): { readonly emails: number; readonly hold: DescribedHold } | null {
  const found = holds.filter((hold, at) => hold !== null && results[at]?.kind === 'accepted');
  const [hold] = found;
  return hold ? { emails: found.length, hold } : null;
}

/** Records a batch without any accepted email, since no email proves that it existed. */
function remember({ acceptor, clock }: SubmissionDeps, sender: Sender, { from }: BatchDraft, id: string) {
  const { organizationId, keyId } = sender;
  const fromEmail = from.address.email;
  return acceptor.rememberEmpty({ organizationId, keyId, id, fromEmail, createdAtMs: clock.nowMs() });
}
