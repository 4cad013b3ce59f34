import type { ModelAcceptance } from './protocol-model-worker.ts';

/** The parameters of the protocol model: the number of emails, and the rules that are broken. */
export interface Rules {
  /** A worker with an old heartbeat is dead, without being watched. */
  readonly judgesByAge?: boolean;
  /** A worker checks that mail is still its own when it claims it, but not before the final dot. */
  readonly trustsItsClaim?: boolean;
  /** A worker never compares its claims in the table with its work in progress. */
  readonly neverReconciles?: boolean;
  /** Rows of dead workers are released before their journal was read. */
  readonly forgetsJournals?: boolean;
  /** An outcome that cannot be settled at once is dropped. */
  readonly givesUpSettling?: boolean;
  /** A stopping worker releases its rows before it has settled what a server accepted. */
  readonly stopsUnsettled?: boolean;
  /** A stopping worker releases mail past its final dot, too, without waiting for the replies. */
  readonly stopsUnanswered?: boolean;
  /** A stopping worker sends no heartbeats while it waits for replies. */
  readonly stopsSilently?: boolean;
  /** Mail is parked without checking whether its hold is still in force. */
  readonly parksUnseen?: boolean;
  /** Workers claim mail of an organization that is being moved. */
  readonly claimsFromFrozenOrganization?: boolean;
}

export interface ModelSettings {
  readonly mails: number;
  /** Whether the workers can read each other's journals. */
  readonly sharedFolder: boolean;
  readonly rules?: Rules;
  /** Called when the mail server accepts a mail. */
  readonly onAccepted?: (acceptance: ModelAcceptance) => void;
}
