/** Finds the recipients of an email for which the guard slows repeats. Reads only. */

import type { Sql } from '../database/sql.ts';
import { newestRepeats, repeatDigestOf } from '../emails/collapse.ts';
import type { EmailRow, RecipientRow } from '../emails/store-read.ts';
import { guardDecisionsOn } from '../interventions/holds/guard-findings.ts';
import type { WaitingDelivery } from '../outbox/make-due.ts';
import { wasPutOff } from '../outbox/states.ts';
import { addressKeyOf, domainOf } from '../protocols/message/address.ts';

export interface SlowedRepeat {
  /** A newer repeat exists, so this one is withdrawn when it becomes due. */
  readonly isReplaced: boolean;
}

/** By position. `waiting`: unclaimed deliveries without a hold and without an attempt. */
export async function slowedAmong(
  db: Sql,
  organizationId: string,
  email: EmailRow,
  recipients: readonly RecipientRow[],
  waiting: readonly WaitingDelivery[],
  nowMs: number,
): Promise<ReadonlyMap<number, SlowedRepeat>> {
  const startMs = Math.max(email.created_at.getTime(), email.scheduled_at?.getTime() ?? 0);
  const putOff = waiting.filter(({ due_at }) => wasPutOff({ dueAtMs: due_at.getTime() }, startMs));
  const asked = putOff.flatMap(({ position }) => recipients.find((one) => one.position === position) ?? []);
  const digests = asked.map((recipient) => digestOf(email, recipient));
  const newest = await newestRepeats(db, organizationId, digests);
  const slowed = new Map<number, SlowedRepeat>();
  for (const [i, { position, address }] of asked.entries()) {
    const newestId = newest[i];
    if (newestId === undefined || newestId < email.id) continue;
    const target = { organizationId, scope: 'recipient', value: addressKeyOf(address) } as const;
    const { isSlowed } = await guardDecisionsOn(db, target, nowMs);
    if (isSlowed) slowed.set(position, { isReplaced: newestId > email.id });
  }
  return slowed;
}

function digestOf({ from_email, template_id, subject }: EmailRow, { address }: RecipientRow): Buffer {
  const fromDomain = domainOf(from_email);
  return repeatDigestOf({ fromDomain, templateId: template_id, subject, recipient: address });
}
