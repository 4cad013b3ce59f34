/** The JSON of an accepted submission. */

import type { DescribedHold } from '../../interventions/holds/store.ts';
import type { Accepted } from '../../submission/submit.ts';
import type { BatchAccepted } from '../../submission/submit-batch.ts';
import { rejectionText } from './refusal-errors.ts';
import type { BatchRequest } from './send-request.ts';

export function sentAnswer({ id, createdAtMs, hold }: Accepted) {
  const queuedAt = new Date(createdAtMs).toISOString();
  return {
    status: 201,
    body: { data: { message_id: id, status: 'queued' as const, queued_at: queuedAt, ...heldView(hold) } },
  };
}

/** The fields that name the hold; empty if the email is not held. */
export function heldView(hold: Accepted['hold']) {
  return hold ? { state: 'held' as const, hold: holdView(hold) } : {};
}

function holdView({ id, reason, placedBy, placedAt }: DescribedHold) {
  return { id, reason, placed_by: placedBy, placed_at: placedAt.toISOString() };
}

export function batchAnswer(
  { places, unusable }: BatchRequest,
  { batchId, accepted, rejected, held }: BatchAccepted,
) {
  const refused = rejected.map((one) => ({
    index: places[one.recipient] as number,
    error: rejectionText(one.refused),
  }));
  const all = [...unusable, ...refused].sort((a, b) => a.index - b.index);
  const waiting = held ? { held: held.emails, hold: holdView(held.hold) } : {};
  const total = places.length + unusable.length;
  const data = { batch_id: batchId, total, accepted, rejected: all, ...waiting };
  return { status: 201, body: { data } };
}
