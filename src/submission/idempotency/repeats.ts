/**
 * Submissions that were accepted before. They are recognised before anything is stored, so that a repeat neither rolls back the
 * commit of others nor delays it.
 */

import { TAKEN_OVER } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import type { AcceptResult, Submission } from '../email-acceptor.ts';
import { type Completion, confirmedAnswers, findRepeated, type StoredAnswer } from './store.ts';

/** Thrown to the caller of a repeated submission. */
export class RepeatedRequest extends Error {
  /** The code of the PostgreSQL function that detects the same condition; see `isTakenOver`. */
  readonly code = TAKEN_OVER;
  /** The answer of the first request; null if it must be looked up. */
  readonly answer: StoredAnswer | null;

  constructor(answer: StoredAnswer | null) {
    super('The same request was already accepted, or another process is running it.');
    this.name = 'RepeatedRequest';
    this.answer = answer;
  }
}

/** The result of each email of a submission, or the error of the whole submission. */
export type SubmissionOutcome = readonly AcceptResult[] | Error;

/** The answer of one submission, stored under its key. */
export interface SubmissionCompletion extends Completion {
  readonly submission: Submission;
}

export async function repeatedAmong(
  db: Sql,
  submissions: readonly Submission[],
): Promise<ReadonlySet<Submission>> {
  const keyed = submissions.flatMap((submission) =>
    submission.completion === null ? [] : [{ ...submission.completion.key, submission }],
  );
  return new Set((await findRepeated(db, keyed)).map(({ submission }) => submission));
}

/** Commits the other submissions while the answers of the repeated ones are read. */
export async function commitOthers(
  db: Sql,
  submissions: readonly Submission[],
  repeated: ReadonlySet<Submission>,
  commit: (others: readonly Submission[]) => Promise<readonly SubmissionOutcome[]>,
): Promise<SubmissionOutcome[]> {
  const others = submissions.filter((one) => !repeated.has(one));
  const [answers, outcomes] = await Promise.all([
    outcomesOfRepeated(db, [...repeated]),
    others.length > 0 ? commit(others) : [],
  ]);
  let next = 0;
  return submissions.map((one) => answers.get(one) ?? (outcomes[next++] as SubmissionOutcome));
}

/** Never rejects: the other submissions may be on disk by then and must not run again. */
async function outcomesOfRepeated(
  db: Sql,
  repeated: readonly Submission[],
): Promise<ReadonlyMap<Submission, Error>> {
  // The answer of a run that was taken over may take a while, so only its own caller waits for it.
  const unreserved = repeated.filter(({ completion }) => completion?.key.run === null);
  const outcomes = new Map<Submission, Error>(repeated.map((one) => [one, new RepeatedRequest(null)]));
  try {
    const keys = unreserved.flatMap(({ completion }) => (completion === null ? [] : [completion.key]));
    const answers = await confirmedAnswers(db, keys);
    unreserved.forEach((one, index) => {
      outcomes.set(one, new RepeatedRequest(answers[index] ?? null));
    });
  } catch (error) {
    for (const one of unreserved) outcomes.set(one, error as Error);
  }
  return outcomes;
}

/**
 * Submissions in this process that run without a reservation. A second one with the same key waits here for the first, where it
 * delays no other submission.
 */
export class SubmissionsUnderWay {
  readonly #answers = new Map<string, Promise<StoredAnswer | null>>();

  async run(
    { completion }: Submission,
    accept: () => Promise<SubmissionOutcome>,
  ): Promise<SubmissionOutcome> {
    if (completion === null || completion.key.run !== null) return accept();
    const name = `${completion.key.organizationId} ${completion.key.key}`;
    for (;;) {
      const first = this.#answers.get(name);
      if (first === undefined) break;
      const answer = await first;
      if (answer !== null) return new RepeatedRequest(answer);
    }
    const accepting = accept();
    const answered = accepting
      .then((outcome) => (outcome instanceof Error ? null : completion.answer(outcome)))
      .catch(() => null)
      .finally(() => this.#answers.delete(name));
    this.#answers.set(name, answered);
    return accepting;
  }
}
