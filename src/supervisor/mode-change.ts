/**
 * Handles a start with existing data in another mode. Mail belongs to the mode it was accepted in. A live
 * start cancels what the sandbox had queued. A sandbox does not start while live mail is queued: after a
 * forgotten POSTRIDER_MODE, the day's mail would be "delivered" into an inbox that nobody reads.
 */

import type { Sql } from '../database/sql.ts';
import { SANDBOX_DOMAIN } from '../domains/sandbox-domain.ts';
import type { EndedVerification } from '../domains/store.ts';
import { enterMode } from '../operations/enter-mode.ts';
import { queuedInMode } from '../outbox/status.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';

/** At most this many are listed by name at a start; the rest is counted. */
const MAX_NAMED = 20;

/** Call before the roles start. Returns notices for the operator; throws when the start must be refused. */
export async function changeMode(db: Sql, mode: Mode, clock: Clock): Promise<string[]> {
  if (mode === 'sandbox') {
    const live = await queuedInMode(db, 'live');
    if (live > 0) throw new Error(refusal(live));
  }
  const ended = await enterMode(db, mode, clock);
  const left = mode === 'live' ? await queuedInMode(db, 'sandbox') : 0;
  return [...unverified(ended.filter(({ domain }) => domain !== SANDBOX_DOMAIN)), ...withdrawn(left)];
}

function unverified(ended: readonly EndedVerification[]): string[] {
  if (ended.length === 0) return [];
  const commands = ended
    .slice(0, MAX_NAMED)
    .map((one) => `  npx postrider domain verify ${one.domain} --org ${one.organization_id}`);
  const rest = ended.length > MAX_NAMED ? [`  and ${ended.length - MAX_NAMED} more`] : [];
  const whose = ended.length === 1 ? 'A domain was' : `${ended.length} domains were`;
  return [
    `${whose} verified by the sandbox only, and cannot send before DNS shows the records. To see what is missing:`,
    ...commands,
    ...rest,
  ];
}

function withdrawn(count: number): string[] {
  if (count === 0) return [];
  const are = count === 1 ? 'is' : 'are';
  return [
    `${deliveries(count)} of the sandbox ${are} withdrawn from the queue: nothing that the sandbox accepted is sent.`,
  ];
}

function refusal(count: number): string {
  return (
    `${deliveries(count)} of live mail ${count === 1 ? 'is' : 'are'} still in the queue, and the sandbox must not capture them. ` +
    'Set POSTRIDER_MODE=live to send them; or discard them with: npx postrider queue discard --mode live; ' +
    'or give the sandbox data of its own: POSTRIDER_DATA_DIR=./sandbox-data npx postrider start (with DATABASE_URL, another database).'
  );
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString('en-US')} deliveries`;
}
