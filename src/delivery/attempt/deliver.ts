/**
 * One delivery, from claimed to recorded. Each step returns a value that says how far it got. What a server said is a
 * fact, the judge decides what it means, and only the recorder writes to the database afterwards.
 */
import type { MailOrigin } from '../../emails/origin.ts';
import { streamOf } from '../../emails/stream.ts';
import type { HoldInForce } from '../../holds/hold.ts';
import type { HoldsInForce } from '../../holds/in-force.ts';
import { isInternal, isUnavailable } from '../../kit/database/errors.ts';
import { domainOf, type EmailAddress } from '../../kit/message/address.ts';
import { type Clock, notBefore } from '../../kit/runtime/clock.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { type OnStage, stageStopwatch, untimed } from '../../kit/runtime/stage-metrics.ts';
import type { Budget } from '../../kit/work-loop/budget.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import type { MailboxState } from '../../suppressions/suppressed.ts';
import {
  type Attempt,
  contentGone,
  decide,
  faster,
  hastened,
  isUnauthenticated,
  lifetimeOver,
  ourFault,
  type RetryPolicy,
  suppressedSince,
  unrenderable,
  type Verdict,
  wasStopped,
  withdrawnSince,
} from '../policy/decide.ts';
import { suppressionSignalOf } from '../policy/suppression-signal.ts';
import type { Routes } from '../routes/planner.ts';
import { type ConnectionSlot, FREE_SLOT, type Way } from '../scheduler/connection-slot.ts';
import type { Site } from '../scheduler/site.ts';
import type { Pacing } from '../scheduler/stream-paces.ts';
import { type AttemptLog, attemptLogOf } from './attempt-log.ts';
import type { Began, MailLabels } from './delivery-record.ts';
import { type FinishedAttempt, notingStages, type StageTime } from './finished-attempt.ts';
import type { LoadEmail, LoadedEmail } from './load.ts';
import { labelsOf } from './mail-labels.ts';
import type { AskMailbox } from './mailbox-state.ts';
import { type OutgoingDeps, type OutgoingMessage, writeMessage } from './outgoing.ts';
import type { Recorder } from './record.ts';
import { type SendDeps, send } from './send.ts';

export interface DeliverDeps extends OutgoingDeps, Omit<SendDeps, 'mayHandOver'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly routes: Routes;
  readonly load: LoadEmail;
  readonly askMailbox: AskMailbox;
  /** How fast mail of limited streams, and repeats of one email to one address, go. */
  readonly paces: Pacing;
  readonly recorder: Pick<Recorder, 'record'>;
  readonly retry: RetryPolicy;
  /** Domains whose addresses only play a part: what becomes of their mail teaches nothing about mailboxes. */
  readonly isSimulated: (domain: string) => boolean;
  /** How much faster than others this recipient lives; 1 but in the sandbox. */
  readonly speedOf?: (recipient: string) => number;
  /** Bytes of content that may be in memory at once. */
  readonly memory: Budget;
  /**
   * False while another worker may be about to take over what this one claimed. Asked at the start, after waiting for a
   * connection, and before the final dot.
   */
  readonly mayHandOver: () => boolean;
  /** What must not be sent for now, whoever has it. Asked at the same times. */
  readonly holds: Pick<HoldsInForce, 'find'>;
  /** A delivery was put off until then. */
  readonly onDeferred: (untilMs: number) => void;
  readonly onStage?: OnStage;
  /** An attempt is over, or it was decided that there is none. */
  readonly onFinished?: ((attempt: FinishedAttempt) => void) | undefined;
  /** A receiver finds that this domain does not vouch for the mail that it sends. */
  readonly onSenderRefused?: (organizationId: string, domain: string) => void;
  /** A delivery was given back untried, and is due. */
  readonly onGivenBack?: (delivery: ClaimedDelivery) => void;
}

export function deliver(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  slot: ConnectionSlot = FREE_SLOT,
): Promise<void> {
  return deps.memory
    .hold(delivery.size, async () => {
      const hold = deps.holds.find({ organizationId: delivery.organizationId, site: slot.site });
      if (hold !== null || !deps.mayHandOver()) return giveBack(deps, delivery, 'untold', hold);
      const times: StageTime[] = [];
      const onStage = notingStages(times, deps.onStage ?? untimed);
      const nothing = { recipient: '', origin: {}, labels: null, began: 'untold', attempt: null } as const;
      const progress: Progress = { times, onStage, ...nothing };
      onStage('queue', delivery.waitedMs);
      try {
        await tryOnce(deps, delivery, slot, progress);
      } catch (error) {
        slot.release();
        await afterMishap(deps, delivery, progress, error);
      }
    })
    .finally(() => slot.release());
}

/** How far a delivery got, for what is to be recorded when something of ours fails. */
interface Progress {
  recipient: EmailAddress | '';
  origin: MailOrigin;
  labels: MailLabels | null;
  began: Began;
  attempt: Attempt | null;
  readonly times: readonly StageTime[];
  readonly onStage: OnStage;
}

async function tryOnce(
  around: DeliverDeps,
  delivery: ClaimedDelivery,
  slot: ConnectionSlot,
  progress: Progress,
): Promise<void> {
  const done = stageStopwatch(progress.onStage);
  const email = await around.load(delivery);
  done('load');
  // Of an email's events the next is never dated before the last, though they are dated by different clocks.
  const sinceMs = Math.max(delivery.firstAttemptAtMs, (email?.createdAtMs ?? 0) + 1);
  const clock = notBefore(around.clock, sinceMs);
  const mail = email && labelsOf(delivery, slot, email);
  progress.labels = mail;
  const holdOn = () => mail && around.holds.find(mail);
  const deps = { ...around, clock, mayHandOver: () => around.mayHandOver() && holdOn() === null };
  if (holdOn() !== null) return giveBack(deps, delivery, 'untold', holdOn());
  const turnMs = email && (await deps.paces.putOffUntil(delivery, email));
  if (turnMs !== null) return giveBack(deps, delivery, 'untold', null, turnMs);
  const ready = email && (await makeReady(deps, delivery, email, progress));
  if (ready === null) return email ? undefined : finish(deps, delivery, progress, contentGone());
  done('compose');
  slot.choose?.((home) => waysOf(deps, delivery, email as LoadedEmail, home));
  // It may have waited for long, and be another worker's by now: then nothing is told of an attempt.
  if (!(await slot.acquire()) || !deps.mayHandOver())
    return giveBack(deps, delivery, 'untold', holdOn(), slot.putOffUntilMs ?? null);
  done('slot');
  const startedMs = clock.nowMs();
  progress.began = 'counts';
  const started = deps.recorder.record({
    kind: 'started',
    delivery,
    recipient: ready.recipient,
    atMs: startedMs,
  });
  const { attempt, isUntried } = await send(deps, delivery, ready, slot);
  progress.attempt = attempt;
  if (isUntried) progress.began = 'void';
  const finished =
    progress.began === 'void' || wasStopped(attempt)
      ? giveBack(deps, delivery, progress.began, holdOn())
      : conclude(deps, delivery, ready, attempt, startedMs, progress);
  // Not one after the other: a quick delivery is started and finished in the same flush.
  await Promise.all([started, finished]);
}

/** A message that may be sent. */
interface Ready extends Pick<LoadedEmail, 'from' | 'recipient'>, Pick<MailboxState, 'mailboxWasFull'> {
  readonly message: OutgoingMessage;
}

/** Null when there is a reason not to try, which is recorded then. The message is written while the lists are asked. */
async function makeReady(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  email: LoadedEmail,
  progress: Progress,
): Promise<Ready | null> {
  const { recipient, from, withdrawnFor, unrenderable } = email;
  progress.recipient = recipient;
  progress.origin = email.addresses.origin ?? {};
  const end = (verdict: Verdict) => finish(deps, delivery, progress, verdict).then(() => null);
  if (withdrawnFor !== null) return end(withdrawnSince(withdrawnFor));
  const isOver = deps.clock.nowMs() >= delivery.expiresAtMs;
  const writing = isOver || unrenderable !== null ? null : writeMessage(deps, delivery, email);
  writing?.catch(() => undefined); // it fails where it is waited for, unless the mail ends before
  const { suppressed, mailboxWasFull } = await deps.askMailbox(delivery, email);
  if (suppressed) return end(suppressedSince());
  if (isOver) return end(lifetimeOver());
  if (writing === null) return end(cannotRender(deps, delivery, email));
  return { recipient, from, mailboxWasFull, message: await writing };
}

function cannotRender(
  deps: DeliverDeps,
  { emailId, position }: ClaimedDelivery,
  email: LoadedEmail,
): Verdict {
  const { template_id: templateId, unrenderable: problem } = email;
  deps.log.warn({ emailId, position, templateId, problem }, 'a template could not be rendered');
  return unrenderable();
}

function conclude(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  { from, recipient, mailboxWasFull }: Ready,
  attempt: Attempt,
  startedMs: number,
  progress: Progress,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const times = deps.speedOf?.(recipient) ?? 1;
  const verdict = decide(attempt, hastened(delivery, times), nowMs, faster(deps.retry, times));
  if (isUnauthenticated(attempt)) deps.onSenderRefused?.(delivery.organizationId, domainOf(from.email));
  const learned = suppressionSignalOf(attempt.outcome, verdict, mailboxWasFull);
  const signal = deps.isSimulated(delivery.domain) ? null : learned;
  return finish(deps, delivery, progress, verdict, {
    signal,
    attemptLog: attemptLogOf(attempt, nowMs - startedMs),
  });
}

/**
 * Something of ours failed. What a server has taken stays delivered whatever that was. Otherwise nothing was handed over:
 * a database that is away costs no attempt; anything else is our fault, and is retried.
 */
async function afterMishap(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  progress: Progress,
  error: unknown,
): Promise<void> {
  const { attempt } = progress;
  const nowMs = deps.clock.nowMs();
  const isAccepted = attempt?.outcome.kind === 'delivered';
  if (!isAccepted && isUnavailable(error) && !isInternal(error)) {
    return giveBack(deps, delivery, progress.began);
  }
  deps.log.error(
    { err: error, emailId: delivery.emailId, position: delivery.position },
    isAccepted ? 'something failed after a delivery' : 'a delivery could not be tried',
  );
  const verdict = isAccepted
    ? decide(attempt, delivery, nowMs, deps.retry)
    : ourFault(delivery, nowMs, deps.retry);
  await finish(deps, delivery, progress, verdict);
}

/** What the route table has for this mail, which goes home if that has nothing. */
function waysOf(
  { routes }: DeliverDeps,
  delivery: ClaimedDelivery,
  { from, tags }: LoadedEmail,
  home: Site,
): readonly Way[] {
  const { organizationId, domain } = delivery;
  const { provider } = home.destination ?? home;
  const own = { stream: streamOf(tags ?? []), senderDomain: domainOf(from.email), tags: tags ?? [] };
  return routes.waysOf(home, { organizationId, domain, provider, ...own }, delivery);
}

/** Nothing was handed over. What is held waits for the hold to end, and not for its turn. */
async function giveBack(
  { recorder, clock, onGivenBack, onDeferred }: DeliverDeps,
  delivery: ClaimedDelivery,
  began: Began = 'untold',
  hold: HoldInForce | null = null,
  notBeforeMs: number | null = null,
): Promise<void> {
  const putOff = notBeforeMs === null ? {} : { notBeforeMs };
  const atMs = clock.nowMs();
  await recorder.record({ kind: 'untried', delivery, began, heldBy: hold?.id, atMs, ...putOff });
  if (hold !== null) return;
  if (notBeforeMs === null) onGivenBack?.(delivery);
  else onDeferred(notBeforeMs);
}

async function finish(
  { recorder, clock, onDeferred, onFinished }: DeliverDeps,
  delivery: ClaimedDelivery,
  { recipient, origin, labels, times }: Progress,
  verdict: Verdict,
  more: { readonly signal?: SuppressionSignal | null; readonly attemptLog?: AttemptLog } = {},
): Promise<void> {
  onFinished?.({ delivery, origin, verdict, attemptLog: more.attemptLog, times });
  const atMs = clock.nowMs();
  await recorder.record({ kind: 'finished', delivery, recipient, verdict, labels, atMs, ...more });
  if (verdict.kind === 'deferred') onDeferred(verdict.nextAttemptAtMs);
}
