/** The expected outcome for one recipient, from known facts. Pure. */
import type { RouteProblem } from '../delivery/facts.ts';
import { adviceOn } from '../delivery/policy/advice.ts';
import { judge } from '../delivery/policy/judge.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import type { SmtpFacts } from '../protocols/smtp/facts.ts';
import type { Health } from '../routing/transport-health.ts';
import type { StreamWait } from './stream-turns.ts';

/** `refused`: not accepted. `held`, `waits`: not attempted. Others: the result of the first attempt. */
export const EXPECTED_OUTCOMES = [
  'delivered',
  'deferred',
  'bounced',
  'failed',
  'held',
  'waits',
  'refused',
] as const;
type ExpectedOutcome = (typeof EXPECTED_OUTCOMES)[number];

export interface RecipientFacts {
  /** Why the recipient is not accepted, as a sentence. */
  readonly refusal: string | null;
  readonly hold: HoldRow | null;
  /** A certain result: no route, or a server with a known reply. */
  readonly certain: RouteProblem | SmtpFacts | null;
  /** A possible problem, as a sentence. */
  readonly doubt: string | null;
  /** The health of the site on the mail's path. */
  readonly health: Pick<Health, 'state' | 'message' | 'until' | 'reason'> | null;
  /** The wait for the stream's rate limit. */
  readonly turn: StreamWait | null;
  readonly isWorkerRunning: boolean;
}

export interface Expected {
  readonly outcome: ExpectedOutcome;
  readonly reason: string | null;
  readonly message: string;
  /** The earliest attempt, if not at once. */
  readonly notBefore: Date | null;
}

export function expectedOutcome(facts: RecipientFacts): Expected {
  const { refusal, hold, certain, doubt, isWorkerRunning } = facts;
  if (refusal !== null) return expected('refused', 'refused', refusal);
  if (hold !== null) return expected('held', 'held', `The email would be held: ${hold.reason}`);
  if (!isWorkerRunning) return expected('waits', 'no_worker', 'No worker is running, so nothing is sent.');
  const goes = doubt === null ? GOES : { ...GOES, message: `${GOES.message} ${doubt}` };
  return heldUp(facts) ?? notYet(facts) ?? (certain === null ? goes : judged(certain));
}

const GOES = expected('delivered', null, 'Nothing known prevents the delivery.');

function heldUp({ health }: RecipientFacts): Expected | null {
  if (health === null || (health.state !== 'blocked' && health.state !== 'paused')) return null;
  const { state, message, until, reason } = health;
  return { ...expected('waits', reason ?? `site_${state}`, message), notBefore: until };
}

function notYet({ turn }: RecipientFacts): Expected | null {
  return turn && { ...expected('waits', 'stream_limit', turn.message), notBefore: turn.until };
}

function judged(facts: RouteProblem | SmtpFacts): Expected {
  const { kind, reason, text } = judge(facts, { attempt: 1 });
  if (kind === 'delivered') return GOES;
  const meaning = adviceOn(reason)?.meaning;
  return expected(kind, reason, meaning === undefined ? text : `${meaning} ${text}`);
}

function expected(outcome: ExpectedOutcome, reason: string | null, message: string): Expected {
  return { outcome, reason, message, notBefore: null };
}
