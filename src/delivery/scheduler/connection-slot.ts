/** How a delivery gets a connection of its site, and what it tells the site afterwards. */
import type { SmtpFacts } from '../../kit/smtp/facts.ts';
import type { RouteProblem } from '../facts.ts';
import type { Outcome } from '../policy/judge.ts';

export interface ConnectionSlot {
  /** Null where it is not known. */
  readonly site: { readonly name: string; readonly provider: string } | null;
  /** How many connections to the site this worker may have open. */
  readonly connections: number;
  /** Resolves to true when it may connect; to false when the site takes nothing now: give the delivery back. */
  acquire(): Promise<boolean>;
  /**
   * The attempt for this recipient is over, and said this about the site. Gives the slot back. True when it was no attempt
   * at all: the site had too many connections of ours, so that the delivery goes back to where it waits for one.
   */
  finished(
    attempt: { readonly facts: SmtpFacts | RouteProblem; readonly outcome: Outcome },
    recipient: string,
  ): boolean;
  /** Nothing more will come. Gives back what is still held; may be called more than once. */
  release(): void;
}

/** For mail that is not sent at all, and where nothing is limited. */
export const FREE_SLOT: ConnectionSlot = {
  site: null,
  connections: Number.POSITIVE_INFINITY,
  acquire: async () => true,
  finished: () => false,
  release: () => {},
};
