/**
 * Applies the outcomes of deliveries to the suppression list and to the counts of full mailboxes. Part of the
 * transaction that records the outcomes.
 */
import type { Sql } from '../database/sql.ts';
import { type AddressKey, addressKeyOf, type EmailAddress } from '../protocols/message/address.ts';
import { countFailures, deleteMailboxFailures } from './mailbox-failures.ts';
import { addMissing } from './store.ts';
import { type NewSuppression, newSuppression, type Reason } from './suppression.ts';

/**
 * - `hard_bounce`    the mailbox does not exist or never accepts mail: suppressed at once
 * - `mailbox_full`   counted; suppressed when it stays full (mailbox-failures.ts)
 * - `mailbox_works`  a mailbox that was full accepted mail again: the count is reset
 * - `complaint`      the recipient reported the mail as spam: suppressed at once
 */
export type SuppressionSignal = 'hard_bounce' | 'mailbox_full' | 'mailbox_works' | 'complaint';

export interface RecipientSignal {
  readonly signal: SuppressionSignal;
  readonly organizationId: string;
  readonly recipient: EmailAddress;
  readonly emailId: string;
  readonly atMs: number;
  /** The reason of the delivery event. */
  readonly cause: string | null;
}

type Known = RecipientSignal & { readonly key: AddressKey };

/** An existing entry stays unchanged, whatever its reason and source. */
export async function applySignals(tx: Sql, signals: readonly RecipientSignal[]): Promise<void> {
  if (signals.length === 0) return;
  const known = signals.map((signal) => ({ ...signal, key: addressKeyOf(signal.recipient) }));
  await deleteMailboxFailures(tx, having(known, 'mailbox_works'));
  const full = having(known, 'mailbox_full');
  const tooLong = new Set((await countFailures(tx, full)).map(addressText));
  const entries = new Map<string, NewSuppression>();
  for (const one of full) if (tooLong.has(addressText(one))) put(entries, one, 'soft_bounce');
  for (const one of having(known, 'hard_bounce')) put(entries, one, 'hard_bounce');
  for (const one of having(known, 'complaint')) put(entries, one, 'complaint');
  await addMissing(tx, [...entries.values()]);
}

function having(signals: readonly Known[], kind: SuppressionSignal): Known[] {
  return signals.filter(({ signal }) => signal === kind);
}

function put(entries: Map<string, NewSuppression>, from: Known, reason: Reason): void {
  const { emailId, cause, atMs, recipient: email } = from;
  const why = { reason, source: 'automatic', emailId, cause } as const;
  entries.set(addressText(from), newSuppression({ ...from, email }, why, atMs));
}

function addressText({ organizationId, key }: Pick<Known, 'organizationId' | 'key'>): string {
  return `${organizationId} ${key}`;
}
