/** Combines the refusals of several submissions into the results of their emails. Pure. */

import type { AcceptResult, Submission } from './email-acceptor.ts';
import type { Refusals } from './gates/gates.ts';
import type { SubmissionCompletion } from './idempotency/repeats.ts';

const ACCEPTED: AcceptResult = { kind: 'accepted' };

/** In an all-or-none submission, one refusal refuses every email. */
export function together(submissions: readonly Submission[], refusals: Refusals): Refusals {
  if (!submissions.some(({ allOrNone }) => allOrNone)) return refusals;
  return bySubmission(submissions, refusals).flatMap((own, index): Refusals => {
    const found = own.flatMap((refused, draft) => (refused === null ? [] : [{ draft, refused }]));
    const isSettled = found.length === 0 || found[0]?.refused.kind === 'some_refused';
    if (!submissions[index]?.allOrNone || isSettled) return own;
    return own.map(() => ({ kind: 'some_refused', refusals: found }));
  });
}

/** The result of each email of each submission. */
export function resultsOf(submissions: readonly Submission[], refusals: Refusals): AcceptResult[][] {
  return bySubmission(submissions, refusals).map((own) => own.map((refusal) => refusal ?? ACCEPTED));
}

function bySubmission(submissions: readonly Submission[], refusals: Refusals): Refusals[] {
  let from = 0;
  return submissions.map(({ emails }) => {
    from += emails.length;
    return refusals.slice(from - emails.length, from);
  });
}

export function completionsOf(
  submissions: readonly Submission[],
  results: readonly (readonly AcceptResult[])[],
): SubmissionCompletion[] {
  return submissions.flatMap((submission, index) => {
    const { completion } = submission;
    const answer = completion?.answer(results[index] ?? []) ?? null;
    return completion && answer ? [{ ...completion.key, answer, submission }] : [];
  });
}
