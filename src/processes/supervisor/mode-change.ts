/**
 * The same data in another mode than before. Mail belongs to the mode it was accepted in: a live start takes back what
 * the sandbox had queued, and a sandbox does not start over mail that is meant for the world, because whoever forgot
 * POSTRIDER_MODE must not find the day's mail "delivered" into an inbox that nobody reads.
 */
import type { Sql } from '../../database/sql.ts';
import { queuedInMode } from '../../outbox/status.ts';
import { settleMode } from '../../resources/domains/settle-mode.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Mode } from '../../runtime/config.ts';

/** Before the roles start. Returns what to tell whoever started it, or null; throws where it must not go on. */
export async function changeMode(db: Sql, mode: Mode, clock: Clock): Promise<string | null> {
  if (mode === 'sandbox') {
    const live = await queuedInMode(db, 'live');
    if (live > 0) throw new Error(refusal(live));
  }
  await settleMode(db, mode, clock);
  const left = mode === 'live' ? await queuedInMode(db, 'sandbox') : 0;
  if (left === 0) return null;
  return `${deliveries(left)} of the sandbox ${left === 1 ? 'is' : 'are'} withdrawn from the queue: nothing that the sandbox accepted is sent.`;
}

function refusal(count: number): string {
  return (
    `${deliveries(count)} of live mail ${count === 1 ? 'is' : 'are'} still in the queue, and the sandbox must not swallow them. ` +
    'Set POSTRIDER_MODE=live to send them, or give the sandbox data of its own: POSTRIDER_DATA_DIR=./sandbox-data npm start ' +
    '(with DATABASE_URL, another database).'
  );
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString('en-US')} deliveries`;
}
