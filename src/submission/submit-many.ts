/**
 * Submits several unrelated emails in one transaction. Each email is judged independently: one that cannot be accepted is
 * refused alone. In all-or-none mode, one refusal refuses every email.
 */
import type { DescribedHold } from '../interventions/holds/store.ts';
import { newId } from '../runtime/ids.ts';
import type { Draft } from './draft.ts';
import type { AcceptResult } from './email-acceptor.ts';
import { riskyAmong } from './gates/validation.ts';
import type { BatchTooCostly, Overloaded, Refused, RenderedTooLate } from './refused.ts';
import {
  type Accepted,
  completionOf,
  expectedHolds,
  type Idempotency,
  type MadeEmail,
  type Making,
  makeEmail,
  type Sender,
  type SubmissionDeps,
  store,
} from './submit.ts';
import { RequestRenderBudget } from './templated.ts';

export interface ManyAccepted {
  readonly kind: 'accepted';
  readonly batchId: string;
  /** In the order of the drafts. */
  readonly results: readonly (Accepted | Refused)[];
}

interface ManyOptions {
  readonly allOrNone: boolean;
}

/** The result of each draft so far. */
type Judged = readonly (MadeEmail | Refused)[];

export async function submitMany(
  deps: SubmissionDeps,
  sender: Sender,
  drafts: readonly Draft[],
  { allOrNone }: ManyOptions,
  idempotency: Idempotency<ManyAccepted> | null = null,
): Promise<ManyAccepted | Refused> {
  return deps.files.during(sender.organizationId, async (fetching) => {
    for (const { attachments } of drafts) fetching.begin(attachments);
    const batchId = newId('batch');
    const made = await makeEmails(deps, sender, drafts, { batchId, fetching });
    return 'kind' in made ? made : acceptMany(deps, sender, made, { batchId, allOrNone, idempotency });
  });
}

interface Accepting extends ManyOptions {
  readonly batchId: string;
  readonly idempotency: Idempotency<ManyAccepted> | null;
}

async function acceptMany(
  deps: SubmissionDeps,
  sender: Sender,
  made: Judged,
  { batchId, allOrNone, idempotency }: Accepting,
): Promise<ManyAccepted | Refused> {
  const judged = await screen(deps, sender, made);
  const refusals = judged.flatMap((one, draft) => (one.kind === 'made' ? [] : [{ draft, refused: one }]));
  if (allOrNone && refusals.length > 0) return { kind: 'some_refused', refusals };
  const emails = judged.flatMap((one) => (one.kind === 'made' ? [one.email] : []));
  const holds = await expectedHolds(deps, emails);
  const outcomeOf = (results: readonly AcceptResult[]) => outcome(batchId, judged, results, holds);
  const stored = await store(deps, {
    emails,
    allOrNone,
    completion: idempotency && completionOf(idempotency, outcomeOf),
  });
  if (stored.kind !== 'stored') return stored;
  const result = outcomeOf(stored.results);
  if (result.kind === 'accepted' && !result.results.some(({ kind }) => kind === 'accepted'))
    await remember(deps, sender, batchId);
  return result;
}

async function makeEmails(
  deps: SubmissionDeps,
  sender: Sender,
  drafts: readonly Draft[],
  shared: Omit<Making, 'effort'>,
): Promise<Judged | RenderedTooLate | Overloaded | BatchTooCostly> {
  const effort = new RequestRenderBudget();
  const making = { ...shared, effort };
  const made: (MadeEmail | Refused)[] = [];
  for (const [recipient, draft] of drafts.entries()) {
    await effort.breathe();
    const one = await makeEmail(deps, sender, draft, making);
    // The refusal is not the request's fault, so it must not be stored as the answer.
    if (one.kind === 'rendered_too_late' || one.kind === 'overloaded') return one;
    if (effort.isTooMuch) return { kind: 'batch_too_costly', at: { recipient } };
    made.push(one);
  }
  return made;
}

async function screen(deps: SubmissionDeps, { organizationId }: Sender, made: Judged): Promise<Judged> {
  const emails = made.flatMap((one) => (one.kind === 'made' ? [one.email] : []));
  const risky = await riskyAmong(deps.autoValidation, organizationId, emails);
  if (risky.size === 0) return made;
  return made.map((one) => (one.kind === 'made' ? (risky.get(emails.indexOf(one.email)) ?? one) : one));
}

function outcome(
  batchId: string,
  judged: Judged,
  stored: readonly AcceptResult[],
  holds: readonly (DescribedHold | null)[],
): ManyAccepted | Refused {
  const results: (Accepted | Refused)[] = [];
  let next = 0;
  for (const one of judged) {
    if (one.kind !== 'made') {
      results.push(one);
      continue;
    }
    const hold = holds[next] ?? null;
    const result = stored[next++] as AcceptResult;
    // The refusal concerns every email, and nothing was stored.
    if (result.kind === 'limit_exceeded' || result.kind === 'some_refused') return result;
    const { id, createdAtMs } = one.email;
    results.push(result.kind === 'accepted' ? { kind: 'accepted', id, createdAtMs, hold } : result);
  }
  return { kind: 'accepted', batchId, results };
}

/** Records a batch without any accepted email. It belongs to a domain only if the sender is restricted to one. */
function remember(
  { acceptor, clock }: SubmissionDeps,
  { organizationId, keyId, tiedTo }: Sender,
  id: string,
) {
  const fromEmail = `@${tiedTo ?? ''}`;
  return acceptor.rememberEmpty({ organizationId, keyId, id, fromEmail, createdAtMs: clock.nowMs() });
}
