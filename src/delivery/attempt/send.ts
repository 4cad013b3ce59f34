/**
 * The sending of one attempt: to the hosts of its route, one after the other; and where the route table has other ways for
 * it, over the next one when the first does not work. Never after the final dot: whoever has that may have the message.
 */
import type { SmtpFacts, SmtpTarget } from '../../kit/smtp/facts.ts';
import type { SmtpPool } from '../../kit/smtp/pool.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Attempt } from '../policy/decide.ts';
import { judge } from '../policy/judge.ts';
import type { ConnectionSlot } from '../scheduler/connection-slot.ts';
import { type OutgoingMessage, wantsAscii } from './outgoing.ts';
import type { Route, Router } from './route.ts';

export interface SendDeps {
  readonly router: Router;
  readonly smtp: Pick<SmtpPool, 'send' | 'warmest'>;
  readonly mayHandOver: () => boolean;
}

interface Outgoing {
  readonly recipient: string;
  readonly message: OutgoingMessage;
}

export interface Sent {
  readonly attempt: Attempt;
  /** It was no attempt at all: the site had too many connections of ours. */
  readonly isUntried: boolean;
}

/** Sessions with different hosts on each way: enough for one dead host, too few to hold everyone up. */
const MAX_SESSIONS = 2;

export async function send(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  { recipient, message }: Outgoing,
  slot: ConnectionSlot,
): Promise<Sent> {
  const sessions: SmtpFacts[] = [];
  for (;;) {
    const attempt = await sendOneWay(deps, delivery, message, slot, sessions);
    const isUntried = slot.finished(attempt, recipient);
    if (attempt.outcome.reason === 'source_unavailable') slot.way?.missed?.();
    if (slot.another === undefined || isUntried || !isOfTheWay(attempt)) return { attempt, isUntried };
    if (!deps.mayHandOver() || !(await slot.another())) return { attempt, isUntried };
  }
}

/** It failed because of the way it took, before anybody had the message: another way may do. */
function isOfTheWay({ facts, outcome }: Attempt): boolean {
  if (outcome.kind !== 'deferred' || outcome.ambiguous) return false;
  // What the recipient's domain demands of a connection is not to be evaded.
  if (outcome.scope === 'recipient') return false;
  if (facts.kind === 'unroutable') return facts.problem === 'no_route';
  return outcome.nextHost || outcome.reason === 'relay_authentication_failed';
}

async function sendOneWay(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  message: OutgoingMessage,
  { connections, way }: ConnectionSlot,
  sessions: SmtpFacts[],
): Promise<Attempt> {
  const taken = way?.taken;
  const route = await (way ? way.route() : deps.router.route(delivery.domain));
  if (route.kind === 'unroutable') return { facts: route, outcome: judge(route, delivery), sessions, taken };
  let attempt: Attempt | undefined;
  for (const hop of inOrder(route, deps.smtp).slice(0, MAX_SESSIONS)) {
    const target = { ...hop, maxConnections: Math.min(hop.maxConnections ?? connections, connections) };
    const facts = await sendTo(deps, target, message);
    sessions.push(facts);
    const byRelay = taken?.kind === 'relay';
    const context = { tlsPolicy: hop.tlsPolicy, utf8Address: message.utf8Address, byRelay, ...delivery };
    attempt = { facts, outcome: judge(facts, context), sessions, taken };
    if (!attempt.outcome.nextHost) break;
  }
  return attempt as Attempt; // a route has at least one hop
}

async function sendTo(deps: SendDeps, target: SmtpTarget, message: OutgoingMessage): Promise<SmtpFacts> {
  const facts = await deps.smtp.send(target, message.envelope, message.wire, deps.mayHandOver);
  if (message.inAscii === null || !wantsAscii(facts)) return facts;
  return sendTo(deps, target, await message.inAscii());
}

/** Among hosts that are as good as each other, one that is already connected to comes first. */
function inOrder({ hops, equals }: Route, smtp: SendDeps['smtp']): readonly SmtpTarget[] {
  const warm = smtp.warmest(hops.slice(0, equals));
  return warm === undefined || warm === hops[0] ? hops : [warm, ...hops.filter((hop) => hop !== warm)];
}
