/**
 * Deliveries that came more than once, and whether anybody could have known better. Pure.
 *
 * A repeat is *ambiguous* when, for the delivery before it, one of these holds, and *unexplained* otherwise:
 *
 *   reply withheld   the sink itself cut the connection after the dot, or in the middle of its reply.
 *   hung up          the client was gone before the reply could be written, and its process had been killed, frozen or
 *                    told to stop by then. A worker that hangs up without having been harmed has no excuse.
 *   killed           the process that held this very connection was killed before it had read the reply, or in the turn of
 *                    its event loop in which it read it: it has not begun another since and ended it (`ARRIVAL_MS` for the
 *                    way of the bytes from one socket to the other). Both are facts: what lay unread in its connections, or
 *                    was on its way to them, is looked at while it stands still, right before its end, and it notes its
 *                    turns itself. Where the client spoke again after the reply, it had read it: then the time runs from
 *                    that word on.
 *   frozen           the same for a process that was stopped (SIGSTOP) at that moment: nobody else can read its socket.
 *   journal lost     it stood in a journal when the power went, and the line had not reached the disk: compared line by
 *                    line, before and after.
 *
 * What stood in a journal at that moment was known: then neither death nor sleep excuses. Nothing else excuses a repeat: not that PostgreSQL, the API or the supervisor was killed, that sessions ended, that a
 * worker was frozen or killed at another time, that a lease ran out, or that the machine was busy.
 */
import type { Fault } from './fault-log.ts';

/** From where a reply is written to where it can be read. */
export const ARRIVAL_MS = 50;

export type Excuse = 'reply withheld' | 'hung up' | 'killed' | 'frozen' | 'journal lost';

export interface Delivery {
  readonly atMs: number;
  /** The client's port, and since when it was connected: ports are used again. */
  readonly port: number;
  readonly openedAtMs: number;
  readonly reply: 'whole' | 'half' | 'none' | 'late';
  readonly replyAtMs: number;
  readonly heardAtMs: number | null;
}

/** Why nobody could know that this delivery had worked; null when somebody could. */
export function excuseFor(delivery: Delivery, faults: readonly Fault[]): Excuse | null {
  if (delivery.reply === 'none' || delivery.reply === 'half') return 'reply withheld';
  const harmed = faults.filter(
    ({ connections, toMs, fromMs }) =>
      connections.has(delivery.port) && fromMs >= delivery.openedAtMs && toMs >= delivery.replyAtMs,
  );
  if (delivery.reply === 'late')
    return harmed.some(({ fromMs }) => fromMs <= delivery.replyAtMs) ? 'hung up' : null;
  const unaware = harmed.filter((fault) => fault.harm !== 'stopped' && canHaveMissed(delivery, fault));
  if (unaware.length === 0) return null;
  return unaware.some(({ harm }) => harm === 'killed') ? 'killed' : 'frozen';
}

/** Those at which no journal said yet that it had been delivered. */
function unnotedIn(faults: readonly Fault[], what: string): Fault[] {
  const [, recipient = ''] = what.split(' ');
  return faults.filter(({ noted }) => noted?.has(recipient) !== true);
}

function forgottenBy(faults: readonly Fault[], what: string, { replyAtMs }: Delivery): Excuse | null {
  const [, recipient = ''] = what.split(' ');
  const isLost = faults.some(({ forgotten, fromMs }) => forgotten?.has(recipient) && replyAtMs <= fromMs);
  return isLost ? 'journal lost' : null;
}

function canHaveMissed({ port, replyAtMs, heardAtMs }: Delivery, fault: Fault): boolean {
  const thereMs = (heardAtMs ?? replyAtMs) + ARRIVAL_MS;
  if (fault.fromMs <= thereMs || (fault.lastTurnMs ?? fault.fromMs) <= thereMs) return true;
  return heardAtMs === null && (fault.connections.get(port) ?? 0) > 0;
}

export interface Repeats {
  /** Deliveries beyond the first. */
  readonly repeated: number;
  readonly ambiguous: Readonly<Record<string, number>>;
  readonly unexplained: readonly string[];
}

/** By what was delivered (token and recipient), in the order of arrival. */
export function repeatsIn(
  deliveries: ReadonlyMap<string, readonly Delivery[]>,
  faults: readonly Fault[],
): Repeats {
  const ambiguous: Record<string, number> = {};
  const unexplained: string[] = [];
  let repeated = 0;
  for (const [what, all] of deliveries) {
    for (const [i, later] of all.slice(1).entries()) {
      const before = all[i] as Delivery;
      const excuse = excuseFor(before, unnotedIn(faults, what)) ?? forgottenBy(faults, what, before);
      repeated += 1;
      if (excuse === null)
        unexplained.push(
          `${what}: ${describe(before)}, again after ${gap(before, later)}${harmTo(before, what, faults)}`,
        );
      else ambiguous[excuse] = (ambiguous[excuse] ?? 0) + 1;
    }
  }
  return { repeated, ambiguous, unexplained };
}

function describe({ atMs, port, reply, heardAtMs, replyAtMs }: Delivery): string {
  const nextCommand =
    heardAtMs === null ? 'nothing heard since' : `heard of ${Math.round(heardAtMs - replyAtMs)} ms later`;
  return `taken at ${new Date(atMs).toISOString()} from port ${port}, reply ${reply}, ${nextCommand}`;
}

/** What is known of those who held the connection, for whoever looks into it. */
function harmTo({ port, openedAtMs, replyAtMs }: Delivery, what: string, faults: readonly Fault[]): string {
  const [, recipient = ''] = what.split(' ');
  return faults
    .filter(({ connections, fromMs }) => connections.has(port) && fromMs >= openedAtMs)
    .map(({ harm, fromMs, connections, lastTurnMs = Number.NaN, noted }) => {
      const turn = (lastTurnMs - replyAtMs).toFixed(0);
      const journal = noted?.has(recipient) ? 'in' : 'not in';
      return `; ${harm} ${(fromMs - replyAtMs).toFixed(0)} ms after the reply, a turn begun after ${turn} ms and ended, ${connections.get(port)} bytes unread, ${journal} a journal`;
    })
    .join('');
}

function gap(before: Delivery, later: Delivery): string {
  return `${((later.atMs - before.atMs) / 1_000).toFixed(3)} s from port ${later.port}`;
}
