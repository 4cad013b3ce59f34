/** What a worker has to say of a delivery, for the recorder. */
import type { HoldableMail } from '../../holds/hold.ts';
import type { EmailAddress } from '../../kit/message/address.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { DeliveryLabels } from '../../stats/delivery-counts.ts';
import type { SuppressionSignal } from '../../suppressions/automatic.ts';
import type { Verdict } from '../policy/decide.ts';
import type { AttemptLog } from './attempt-log.ts';

/** What is known of a mail once it is loaded: what holds ask for, and what its outcome is counted by. */
export type MailLabels = HoldableMail & DeliveryLabels;

interface AboutDelivery {
  readonly delivery: ClaimedDelivery;
  readonly atMs: number;
}

export interface Started extends AboutDelivery {
  readonly kind: 'started';
  readonly recipient: EmailAddress;
}

export interface Finished extends AboutDelivery {
  readonly kind: 'finished';
  /** Empty where the email was gone: nobody knows any more who it was. */
  readonly recipient: EmailAddress | '';
  readonly verdict: Verdict;
  /** For the suppression list; most attempts teach nothing. */
  readonly signal?: SuppressionSignal | null;
  /** Nothing to explain where nobody was talked to, or where the journal had to tell. */
  readonly attemptLog?: AttemptLog | undefined;
  /** What its outcome is counted by; missing where the journal had to tell. */
  readonly labels?: MailLabels | null | undefined;
}

/** Claimed, not handed over, and given back. */
export interface Untried extends AboutDelivery {
  readonly kind: 'untried';
  readonly began: Began;
  /** The id of the hold that stops it. */
  readonly heldBy?: string | undefined;
  /** Not to be claimed before: no way that it may go is open until then. */
  readonly notBeforeMs?: number | undefined;
}

/**
 * What was told of an attempt that came to nothing. `counts`: that it began, so the next one gets another number. `void`:
 * that it began, but no server heard of the mail, so the next one is the same try, and need not be told of again.
 */
export type Began = 'untold' | 'counts' | 'void';

export type DeliveryRecord = Started | Finished | Untried;
