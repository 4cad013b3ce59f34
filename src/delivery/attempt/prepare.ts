/** The steps of an attempt up to the replies of the servers. */
import { TRANSACTIONAL } from '../../emails/stream.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { domainOf } from '../../protocols/message/address.ts';
import { notBefore } from '../../runtime/clock.ts';
import {
  contentGone,
  lifetimeOver,
  suppressedSince,
  unrenderable,
  type Verdict,
  withdrawnSince,
} from '../policy/decide.ts';
import type { EgressPath } from '../scheduler/connection-slot.ts';
import { type HomeSite, recipientSite } from '../scheduler/site.ts';
import type { DeliverDeps } from './deliver-deps.ts';
import type { LoadedEmail } from './load.ts';
import { labelsOf } from './mail-labels.ts';
import { writeMessage } from './outgoing.ts';
import { send } from './send.ts';
import {
  type AttemptedDelivery,
  type ClaimedStage,
  type ComposedDelivery,
  finishedUntried,
  type JudgedDelivery,
  type LoadedContext,
  type LoadedDelivery,
  type RoutedDelivery,
  releasedUntried,
} from './stages.ts';

/** Loads the email, and releases the delivery where a hold or a rate limit of its stream stops it. */
export async function loadDelivery({ mail }: ClaimedStage): Promise<LoadedDelivery | JudgedDelivery> {
  const { deps, delivery, slot, isClaimed, times, onStage, endStage } = mail;
  const { organizationId } = delivery;
  const heldSite = deps.holds.find({ organizationId, site: slot.site });
  if (heldSite !== null || !deps.mayHandOver()) return releasedUntried(mail, heldSite);
  onStage('queue', delivery.waitedMs);
  const email = await deps.load(delivery);
  endStage('load');
  const sinceMs = Math.max(delivery.firstAttemptAtMs, (email?.createdAtMs ?? 0) + 1);
  const clock = notBefore(deps.clock, sinceMs);
  const common = { deps, delivery, slot, isClaimed, clock, times, onStage, endStage };
  if (email === null) return finishedUntried({ email, labels: null, ...common }, contentGone());
  const labels = labelsOf(delivery, slot, email);
  const loaded: LoadedContext = { ...common, email, labels };
  const hold = deps.holds.find(labels);
  if (hold !== null) return releasedUntried(loaded, hold);
  const turnMs = await deps.paces.putOffUntil(delivery, email);
  if (turnMs !== null) return releasedUntried(loaded, null, turnMs);
  return { stage: 'loaded', mail: loaded };
}

/** Composes the message while the suppression list is queried. */
export async function prepareMessage({ mail }: LoadedDelivery): Promise<ComposedDelivery | JudgedDelivery> {
  const { deps, delivery, email, clock } = mail;
  if (email.withdrawnFor !== null) return finishedUntried(mail, withdrawnSince(email.withdrawnFor));
  const isOver = clock.nowMs() >= delivery.expiresAtMs;
  const writing = isOver || email.unrenderable !== null ? null : writeMessage(deps, delivery, email);
  // The rejection is handled at the await below, unless the delivery ends before.
  writing?.catch(() => undefined);
  const { suppressed, mailboxWasFull } = await deps.askMailbox(delivery, email);
  if (suppressed) return finishedUntried(mail, suppressedSince());
  if (isOver) return finishedUntried(mail, lifetimeOver());
  if (writing === null) return finishedUntried(mail, cannotRender(deps, delivery, email));
  const message = await writing;
  mail.endStage('compose');
  return { stage: 'composed', mail, message, mailboxWasFull };
}

function cannotRender(
  { log }: DeliverDeps,
  { emailId, position }: ClaimedDelivery,
  email: LoadedEmail,
): Verdict {
  const { template_id: templateId, unrenderable: problem } = email;
  log.warn({ emailId, position, templateId, problem }, 'a template could not be rendered');
  return unrenderable();
}

/** Waits for a connection of the site, or of the first path that is open, and records the start of the attempt. */
export async function connect(composed: ComposedDelivery): Promise<RoutedDelivery | JudgedDelivery> {
  const { mail, message, mailboxWasFull } = composed;
  const { deps, delivery, slot, clock, email } = mail;
  if (slot.kind === 'routed') slot.choose((home) => pathsOf(mail, home));
  // No start is recorded if another worker has taken over the delivery during the wait.
  if (!(await mail.isClaimed) || !(await slot.acquire()) || !mayHandOver(mail)) {
    const putOffUntilMs = slot.kind === 'routed' ? slot.putOffUntilMs : null;
    return releasedUntried(mail, deps.holds.find(mail.labels), putOffUntilMs);
  }
  mail.endStage('slot');
  const startedMs = clock.nowMs();
  const { recipient } = email;
  const startRecorded = deps.recorder.record({ kind: 'started', delivery, recipient, atMs: startedMs });
  return { stage: 'routed', mail, message, mailboxWasFull, startedMs, startRecorded };
}

/** The egress paths that the route table has for the mail; none where the mail goes to its home site. */
function pathsOf({ deps, delivery, email }: LoadedContext, home: HomeSite): readonly EgressPath[] {
  const { organizationId, domain } = delivery;
  const facts = {
    organizationId,
    domain,
    provider: recipientSite(home).provider,
    stream: email.stream ?? TRANSACTIONAL,
    senderDomain: domainOf(email.from.email),
    tags: email.tags ?? [],
  };
  return deps.routes.pathsOf(home, facts, delivery);
}

export async function sendDelivery(routed: RoutedDelivery): Promise<AttemptedDelivery> {
  const { mail, message, mailboxWasFull, startedMs, startRecorded } = routed;
  const { router, smtp } = mail.deps;
  const deps = { router, smtp, mayHandOver: () => mayHandOver(mail) };
  const { recipient } = mail.email;
  const { attempt, isUntried } = await send(deps, mail.delivery, { recipient, message }, mail.slot);
  const start = isUntried ? 'cancelled' : 'started';
  return { stage: 'attempted', mail, mailboxWasFull, startedMs, startRecorded, attempt, start };
}

function mayHandOver({ deps, labels }: LoadedContext): boolean {
  return deps.mayHandOver() && deps.holds.find(labels) === null;
}
