import type { ModelAcceptance } from './protocol-model-worker.ts';

/** What the model of the protocol can be told: how much mail there is, and which rules are broken. */
export interface Rules {
  /** Another worker is dead when its heartbeat is old, as if nobody had to watch it. */
  readonly judgesByAge?: boolean;
  /** Whether mail is still the worker's own is asked when it is claimed, and not before the final dot. */
  readonly trustsItsClaim?: boolean;
  /** What the table says and what is in hand are never compared. */
  readonly neverReconciles?: boolean;
  /** Rows of the dead are given back before their journal was read. */
  readonly forgetsJournals?: boolean;
  /** An outcome that cannot be settled at once is given up. */
  readonly givesUpSettling?: boolean;
  /** A worker that stops gives back its rows before it has settled what a server took. */
  readonly stopsUnsettled?: boolean;
  /** Mail is parked without looking whether its hold is still in force. */
  readonly parksUnseen?: boolean;
  /** Workers claim mail of an organization that is being moved. */
  readonly claimsFromFrozenOrganization?: boolean;
}

export interface ModelSettings {
  readonly mails: number;
  /** Whether the workers can read each other's journals. */
  readonly sharedFolder: boolean;
  readonly rules?: Rules;
  /** Called when the mail server takes a mail. */
  readonly onAccepted?: (acceptance: ModelAcceptance) => void;
}
