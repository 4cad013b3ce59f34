/** The records that a worker gives to the recorder about a delivery. */

import type { DeliveryLabels } from '../../counters/delivery-counts.ts';
import type { HoldableMail } from '../../interventions/holds/hold.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { EmailAddress } from '../../protocols/message/address.ts';
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import type { Verdict } from '../policy/decide.ts';
import type { AttemptLog } from './attempt-log.ts';

/** Data of a loaded mail: the fields that holds match, and the labels that its outcome is counted by. */
export type MailLabels = HoldableMail & DeliveryLabels;

interface AboutDelivery {
  readonly delivery: ClaimedDelivery;
  readonly atMs: number;
}

interface Started extends AboutDelivery {
  readonly kind: 'started';
  readonly recipient: EmailAddress;
}

export interface Finished extends AboutDelivery {
  readonly kind: 'finished';
  /** Empty where the email was removed: its recipient is no longer known. */
  readonly recipient: EmailAddress | '';
  readonly verdict: Verdict;
  /** For the suppression list. Most attempts have none. */
  readonly signal?: SuppressionSignal | null;
  /** Missing where no server was contacted, and in records that come from the journal. */
  readonly attemptLog?: AttemptLog | undefined;
  /** The labels that the outcome is counted by. Missing in records that come from the journal. */
  readonly labels?: MailLabels | null | undefined;
}

/** Claimed, not handed over, and released to the queue. */
export interface Released extends AboutDelivery {
  readonly kind: 'released';
  readonly start: AttemptStart;
  /** The id of the hold that stops the delivery. */
  readonly heldBy?: string | undefined;
  /** The earliest time of the next claim, because no path is open before. */
  readonly notBeforeMs?: number | undefined;
}

/**
 * The progress of an attempt that handed nothing over. `started`: its start was recorded, so the next attempt gets another
 * number. `cancelled`: its start was recorded but no server was contacted, so the next claim repeats the same attempt without
 * recording its start again.
 */
export type AttemptStart = 'not_started' | 'started' | 'cancelled';

export type DeliveryRecord = Started | Finished | Released;
