/** Reads back what the outside world wrote down: every delivery with the fate of its reply, every webhook. */
import type { Outside } from './outside.ts';
import type { Fate, Hooked, Taken } from './outside-log.ts';
import type { Delivery } from './repeats.ts';

export interface Arrived {
  /** By token and recipient, in the order of arrival. */
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  readonly taken: number;
  /** What came with other bytes than were sent. */
  readonly harmed: readonly string[];
  /** Of each event, when it first came and when it was first answered with success. */
  readonly hooks: ReadonlyMap<string, Hook>;
}

export interface Hook {
  readonly firstAt: number;
  readonly failures: number;
  readonly succeeded: boolean;
}

export function deliveryKey(token: string, to: string): string {
  return `${token} ${to}`;
}

export async function readOutside(outside: Outside): Promise<Arrived> {
  const opened = new Map<number, { port: number; atMs: number }>();
  const fates = new Map<number, Fate>();
  const taken: Taken[] = [];
  const hooks = new Map<string, Hook>();
  let hooked = 0;
  for await (const line of outside.lines()) {
    if (line.type === 'opened') opened.set(line.connection, line);
    else if (line.type === 'fate') fates.set(line.number, line);
    else if (line.type === 'taken') taken.push(line);
    else {
      hooked += 1;
      noteHook(hooks, line, hooked);
    }
  }
  const deliveries = new Map<string, Delivery[]>();
  for (const one of taken) {
    const key = deliveryKey(one.token, one.to);
    const delivery = toDelivery(one, opened.get(one.connection), fates.get(one.number));
    const earlier = deliveries.get(key);
    if (earlier === undefined) deliveries.set(key, [delivery]);
    else earlier.push(delivery);
  }
  const harmed = taken.flatMap(({ token, to, harm }) => (harm === null ? [] : [`${token} ${to}: ${harm}`]));
  return { deliveries, taken: taken.length, harmed, hooks };
}

/** `order` counts what came. */
function noteHook(hooks: Map<string, Hook>, { event, status }: Hooked, order: number): void {
  const seen = hooks.get(event) ?? { firstAt: order, failures: 0, succeeded: false };
  const succeeded = status < 300;
  hooks.set(event, {
    firstAt: seen.firstAt,
    failures: seen.failures + (succeeded ? 0 : 1),
    succeeded: seen.succeeded || succeeded,
  });
}

/** A connection that was still open at the end has no fate yet: its last reply was written whole. */
function toDelivery(
  { atMs, token }: Taken,
  opened: { port: number; atMs: number } | undefined,
  fate: Fate | undefined,
): Delivery {
  if (opened === undefined) throw new Error(`${token} came over a connection that was never opened.`);
  return {
    atMs,
    port: opened.port,
    openedAtMs: opened.atMs,
    reply: fate?.reply ?? 'whole',
    replyAtMs: fate?.replyAtMs ?? atMs,
    heardAtMs: fate?.heardAtMs ?? null,
  };
}
