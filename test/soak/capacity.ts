/** How much goes through, with all the other work going on: as fast as it is taken, with never much in the queue. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import { due } from './database-figures.ts';
import type { Sender } from './sender.ts';

/** Connections open, caches fill, code is compiled. */
const WARM_UP_MS = 25_000;
/** After that. */
const FOR_MS = 35_000;
const POLL_MS = 100;
/** More than workers have under way at once, so that they never wait for mail. */
const QUEUE = 500;
/** An email makes three events and more. */
const WEBHOOKS = 1_500;
const AS_FAST_AS_IT_GOES = 100_000;

/** Emails a second that were accepted and left the queue again, with the webhook that works keeping up. */
export async function capacityOf(
  sender: Sender,
  { db, webhookId, say }: { db: Database; webhookId: string; say: (text: string) => void },
): Promise<number> {
  say('Measuring the capacity for a minute.');
  sender.rate = AS_FAST_AS_IT_GOES;
  const beganMs = performance.now();
  let began: { atMs: number; through: number } | undefined;
  for (;;) {
    const { mail, webhooks } = await due(db, webhookId);
    sender.isHeld = mail > QUEUE || webhooks > WEBHOOKS;
    const now = { atMs: performance.now(), through: sender.accepted.emails - mail };
    if (began === undefined && now.atMs - beganMs > WARM_UP_MS) began = now;
    if (began !== undefined && now.atMs - began.atMs > FOR_MS) {
      sender.isHeld = false;
      const capacity = ((now.through - began.through) / (now.atMs - began.atMs)) * 1_000;
      say(`The capacity is ${capacity.toFixed(1)} emails a second.`);
      return capacity;
    }
    await sleep(POLL_MS);
  }
}
