/** How a delivery gets at a connection of its site, and what it tells the site afterwards. */
import type { SmtpFacts } from '../smtp/facts.ts';
import type { Outcome } from './judge.ts';
import type { RouteProblem } from './route-problem.ts';

export interface Passage {
  /** The name of the site, for whoever reads logs and numbers. */
  readonly provider: string;
  /** Resolves to true when it may connect; to false when the site takes nothing now: give the delivery back. */
  slot(): boolean | Promise<boolean>;
  /** The attempt is over, and said this about the site. Gives the slot back. */
  finished(attempt: { readonly facts: SmtpFacts | RouteProblem; readonly outcome: Outcome }): void;
  /** Nothing more will come. Gives back what is still held; may be called more than once. */
  leave(): void;
}

/** For mail that is not sent at all, and where nothing is limited. */
export const FREE_PASSAGE: Passage = {
  provider: 'none',
  slot: () => true,
  finished: () => {},
  leave: () => {},
};
