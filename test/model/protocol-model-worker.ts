/** A worker in the protocol model: its work in progress, and its journal. */

import { FailureDetector } from '../../src/outbox/failure-detector.ts';
import { HEARTBEAT_INTERVAL_MS, LEASE_MS } from '../../src/outbox/lease.ts';

/** A mail that the server accepted. */
export interface ModelAcceptance {
  readonly mail: number;
  /** The worker read the reply while the mail was still its own. */
  replyRead: boolean;
  /** The worker was cut off, frozen or killed between the final dot and the reply, so the outcome is unknowable. */
  isUncertain: boolean;
}

export type Stage = 'claimed' | 'at the dot' | 'accepted';

export interface InHand {
  readonly epoch: number;
  readonly attempt: number;
  stage: Stage;
  acceptance: ModelAcceptance | null;
}

export interface Worker {
  readonly name: string;
  readonly folder: Map<number, Set<number>>;
  state: 'running' | 'frozen' | 'crashed';
  /** It waits for replies to messages that receivers have, and then ends. */
  isStopping: boolean;
  epoch: number;
  trustedMs: number;
  detector: FailureDetector;
  readonly hands: Map<number, InHand>;
  /** A claim that the database has started and not committed. */
  claim: { readonly transaction: number; readonly mail: number; readonly epoch: number } | null;
}

export function interrupt({ hands }: Worker): void {
  for (const { stage, acceptance } of hands.values()) {
    if (stage === 'at the dot' && acceptance) acceptance.isUncertain = true;
  }
}

export function newFailureDetector(): FailureDetector {
  return new FailureDetector(LEASE_MS, 2 * HEARTBEAT_INTERVAL_MS);
}

export function newWorker(name: string, folder: Worker['folder']): Worker {
  const base = { epoch: 0, trustedMs: 0, hands: new Map<number, InHand>(), claim: null };
  return { ...base, name, folder, state: 'running', isStopping: false, detector: newFailureDetector() };
}

export function journalOf({ folder }: Worker, epoch: number): Set<number> {
  const journal = folder.get(epoch) ?? new Set<number>();
  folder.set(epoch, journal);
  return journal;
}

export function first(hands: ReadonlyMap<number, InHand>, stage: Stage): [number, InHand] | undefined {
  return [...hands].find(([, hand]) => hand.stage === stage);
}
