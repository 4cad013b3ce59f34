/**
 * Makes one attempt: tries the hosts of its route in order, then the next egress path if the first path fails. After the final
 * dot no other host is tried, because the server may have the message.
 */
import type { MessageEvidence } from '../../events/evidence.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Envelope, SmtpFacts, SmtpTarget } from '../../protocols/smtp/facts.ts';
import type { SmtpPool } from '../../protocols/smtp/pool.ts';
import type { Route, RouteProblem } from '../facts.ts';
import type { Attempt } from '../policy/decide.ts';
import { judge } from '../policy/judge.ts';
import { isUnmet, stillOpen, weightier } from '../policy/unmet-demand.ts';
import type { ConnectionSlot, EgressPath } from '../scheduler/connection-slot.ts';
import type { Router } from '../transports/router.ts';
import { type OutgoingMessage, wantsAscii } from './outgoing.ts';
import { demanding } from './require-tls.ts';

export interface SendDeps {
  readonly router: Router;
  readonly smtp: Pick<SmtpPool, 'send' | 'warmest'>;
  readonly mayHandOver: () => boolean;
}

interface Outgoing {
  readonly recipient: string;
  readonly message: OutgoingMessage;
}

interface Sent {
  readonly attempt: Attempt;
  /** The attempt does not count: the site refused it because of this worker's other connections. */
  readonly isUntried: boolean;
}

/** Sessions with different hosts on each path: enough for one dead host, and too few to delay other mail. */
const MAX_SESSIONS = 2;
/** Mail that demands TLS bounces where no host qualifies, so all hosts of a route are tried (protocols/dns/mx.ts: five). */
const MAX_DEMANDING_SESSIONS = 5;

export async function send(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  { recipient, message }: Outgoing,
  slot: ConnectionSlot,
): Promise<Sent> {
  const sessions: SmtpFacts[] = [];
  let last: Attempt | undefined;
  for (;;) {
    const path = slot.kind === 'routed' ? slot.path : null;
    const attempt = await sendOverPath(deps, delivery, message, slot.connections, path, sessions);
    const isUntried = slot.finished(attempt, recipient);
    if (attempt.outcome.reason === 'source_unavailable') path?.sourceMissing?.();
    last = weightier(last, attempt);
    if (slot.kind === 'direct' || isUntried || !dependsOnPath(attempt)) return { attempt: last, isUntried };
    if (!deps.mayHandOver() || !(await slot.acquireNext()))
      return { attempt: slot.isIncomplete ? stillOpen(last) : last, isUntried };
  }
}

/** Whether the attempt failed because of its path, before a server had the message. Then another path may work. */
function dependsOnPath({ facts, outcome }: Attempt): boolean {
  if (isUnmet(outcome)) return true;
  if (outcome.kind !== 'deferred' || outcome.ambiguous) return false;
  // Another path must not evade what the recipient's domain demands of a connection.
  if (outcome.scope === 'recipient') return false;
  if (facts.kind === 'unroutable') return facts.problem === 'no_route';
  return outcome.nextHost || outcome.reason === 'relay_authentication_failed';
}

async function sendOverPath(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  message: OutgoingMessage,
  connections: number,
  path: EgressPath | null,
  sessions: SmtpFacts[],
): Promise<Attempt> {
  const taken = path?.taken;
  const { tls } = message.envelope;
  const route = usable(await (path ? path.route() : deps.router.route(delivery.domain)), tls);
  if (route.kind === 'unroutable') return { facts: route, outcome: judge(route, delivery), sessions, taken };
  let attempt: Attempt | undefined;
  const most = tls === 'required' ? MAX_DEMANDING_SESSIONS : MAX_SESSIONS;
  for (const hop of inOrder(route, deps.smtp).slice(0, most)) {
    const target = { ...hop, maxConnections: Math.min(hop.maxConnections ?? connections, connections) };
    const { facts, evidence } = await sendTo(deps, target, message);
    sessions.push(facts);
    const byRelay = taken?.kind === 'relay';
    const { utf8Address } = message;
    const context = { tlsPolicy: hop.tlsPolicy, messageTls: tls, utf8Address, byRelay, ...delivery };
    const outcome = judge(facts, context);
    attempt = weightier(attempt, { facts, outcome, sessions, taken, evidence });
    if (!outcome.nextHost) break;
  }
  return attempt as Attempt; // a route has at least one hop
}

/** Mail with optional TLS is delivered even where the recipient's domain demands TLS and no host qualifies. */
function usable(found: Route | RouteProblem, tls: Envelope['tls']): Route | RouteProblem {
  return found.kind === 'unroutable' && tls === 'optional' ? (found.despite ?? found) : found;
}

interface SentTo {
  readonly facts: SmtpFacts;
  /** For the form of the message that was sent. */
  readonly evidence: MessageEvidence;
}

async function sendTo(deps: SendDeps, hop: SmtpTarget, message: OutgoingMessage): Promise<SentTo> {
  const { evidence } = message;
  const isDemanding = message.envelope.tls === 'required' && hop.isSandbox !== true;
  const target = isDemanding ? demanding(hop) : hop;
  if ('kind' in target) return { facts: target, evidence };
  const facts = await deps.smtp.send(target, envelopeFor(hop, message), message.wire, deps.mayHandOver);
  if (message.inAscii === null || !wantsAscii(facts)) return { facts, evidence };
  return sendTo(deps, hop, await message.inAscii());
}

/** The sandbox is on this machine and needs no TLS. */
function envelopeFor({ isSandbox }: SmtpTarget, { envelope }: OutgoingMessage): Envelope {
  return isSandbox === true && envelope.tls !== undefined ? { ...envelope, tls: undefined } : envelope;
}

/** Among hosts of equal preference, a host with an open connection comes first. */
function inOrder({ hops, equals }: Route, smtp: SendDeps['smtp']): readonly SmtpTarget[] {
  const warm = smtp.warmest(hops.slice(0, equals));
  return warm === undefined || warm === hops[0] ? hops : [warm, ...hops.filter((hop) => hop !== warm)];
}
