/**
 * One delivery, from claimed to recorded. Each step returns a value that says how far it got. What a server said is a
 * fact, the judge decides what it means, and only the recorder writes to the database afterwards.
 */
import type { MailOrigin } from '../../emails/origin.ts';
import type { HoldInForce } from '../../holds/hold.ts';
import type { HoldsInForce } from '../../holds/in-force.ts';
import { isInternal, isUnavailable } from '../../kit/database/errors.ts';
import { domainOf, type EmailAddress } from '../../kit/message/address.ts';
import { type Clock, notBefore } from '../../kit/runtime/clock.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { type OnStage, stageStopwatch, untimed } from '../../kit/runtime/stage-metrics.ts';
import type { SmtpFacts, SmtpTarget } from '../../kit/smtp/facts.ts';
import type { SmtpPool } from '../../kit/smtp/pool.ts';
import type { Budget } from '../../kit/work-loop/budget.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import type { MailboxState } from '../../suppressions/suppressed.ts';
import {
  type Attempt,
  contentGone,
  decide,
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
import { judge } from '../policy/judge.ts';
import { suppressionSignalOf } from '../policy/suppression-signal.ts';
import { type ConnectionSlot, FREE_SLOT } from '../scheduler/connection-slot.ts';
import { type AttemptLog, attemptLogOf } from './attempt-log.ts';
import type { Began, MailLabels } from './delivery-record.ts';
import { type FinishedAttempt, notingStages, type StageTime } from './finished-attempt.ts';
import type { LoadEmail, LoadedEmail } from './load.ts';
import { labelsOf } from './mail-labels.ts';
import type { AskMailbox } from './mailbox-state.ts';
import { type OutgoingDeps, type OutgoingMessage, wantsAscii, writeMessage } from './outgoing.ts';
import type { Recorder } from './record.ts';
import type { Route, Router } from './route.ts';

export interface DeliverDeps extends OutgoingDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly router: Router;
  readonly smtp: Pick<SmtpPool, 'send' | 'warmest'>;
  readonly load: LoadEmail;
  readonly askMailbox: AskMailbox;
  readonly recorder: Pick<Recorder, 'record'>;
  readonly retry: RetryPolicy;
  /** Domains whose addresses only play a part: what becomes of their mail teaches nothing about mailboxes. */
  readonly isSimulated: (domain: string) => boolean;
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

/** Sessions with different hosts per attempt: enough for one dead host, too few to hold everyone up. */
const MAX_SESSIONS = 2;

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
  const ready = email && (await makeReady(deps, delivery, email, progress));
  if (ready === null) return email ? undefined : finish(deps, delivery, progress, contentGone());
  done('compose');
  // It may have waited for long, and be another worker's by now: then nothing is told of an attempt.
  if (!(await slot.acquire()) || !deps.mayHandOver()) return giveBack(deps, delivery, 'untold', holdOn());
  done('slot');
  const startedMs = clock.nowMs();
  progress.began = 'counts';
  const started = deps.recorder.record({
    kind: 'started',
    delivery,
    recipient: ready.recipient,
    atMs: startedMs,
  });
  const attempt = await routeAndSend(deps, delivery, ready.message, slot.connections);
  progress.attempt = attempt;
  if (slot.finished(attempt, ready.recipient)) progress.began = 'void';
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
  { from, mailboxWasFull }: Ready,
  attempt: Attempt,
  startedMs: number,
  progress: Progress,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const verdict = decide(attempt, delivery, nowMs, deps.retry);
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

async function routeAndSend(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  message: OutgoingMessage,
  maxConnections: number,
): Promise<Attempt> {
  const route = await deps.router.route(delivery.domain);
  if (route.kind === 'unroutable') return { facts: route, outcome: judge(route, delivery) };
  const sessions: SmtpFacts[] = [];
  let attempt: Attempt | undefined;
  for (const hop of inOrder(route, deps.smtp).slice(0, MAX_SESSIONS)) {
    const target = { ...hop, maxConnections: Math.min(hop.maxConnections ?? maxConnections, maxConnections) };
    const facts = await sendTo(deps, target, message);
    sessions.push(facts);
    const context = { tlsPolicy: hop.tlsPolicy, utf8Address: message.utf8Address, ...delivery };
    attempt = { facts, outcome: judge(facts, context), sessions };
    if (!attempt.outcome.nextHost) break;
  }
  return attempt as Attempt; // a route has at least one hop
}

async function sendTo(deps: DeliverDeps, target: SmtpTarget, message: OutgoingMessage): Promise<SmtpFacts> {
  const facts = await deps.smtp.send(target, message.envelope, message.wire, deps.mayHandOver);
  if (message.inAscii === null || !wantsAscii(facts)) return facts;
  return sendTo(deps, target, await message.inAscii());
}

/** Among hosts that are as good as each other, one that is already connected to comes first. */
function inOrder({ hops, equals }: Route, smtp: DeliverDeps['smtp']): readonly SmtpTarget[] {
  const warm = smtp.warmest(hops.slice(0, equals));
  return warm === undefined || warm === hops[0] ? hops : [warm, ...hops.filter((hop) => hop !== warm)];
}

/** Nothing was handed over. What is held waits for the hold to end, and not for its turn. */
async function giveBack(
  { recorder, clock, onGivenBack }: DeliverDeps,
  delivery: ClaimedDelivery,
  began: Began = 'untold',
  hold: HoldInForce | null = null,
): Promise<void> {
  await recorder.record({ kind: 'untried', delivery, began, heldBy: hold?.id, atMs: clock.nowMs() });
  if (hold === null) onGivenBack?.(delivery);
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
