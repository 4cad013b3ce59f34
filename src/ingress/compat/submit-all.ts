/** Submits the emails of one request, for services that accept all or none. */
import { refusalError } from '../../emails/http/send-answer.ts';
import type { Draft } from '../../submission/draft.ts';
import { type Sender, type SubmissionDeps, submit } from '../../submission/submit.ts';
import { submitMany } from '../../submission/submit-many.ts';
import type { TranslatedEmail } from './drafts-of.ts';
import { withFieldsRenamed } from './renamed-fields.ts';

/** The id of the email, or of the batch for several emails. Throws the first refusal. */
export async function submitAll(
  submission: SubmissionDeps,
  sender: Sender,
  drafts: readonly Draft[],
  emails: readonly Pick<TranslatedEmail, 'nameOf'>[],
): Promise<string> {
  const [only, another] = drafts;
  const result =
    only !== undefined && another === undefined
      ? await submit(submission, sender, only)
      : await submitMany(submission, sender, drafts, { allOrNone: true });
  if (result.kind === 'accepted') return 'batchId' in result ? result.batchId : result.id;
  const first = result.kind === 'some_refused' ? result.refusals[0] : undefined;
  const nameOf = emails[first?.draft ?? 0]?.nameOf ?? String;
  throw withFieldsRenamed(refusalError(first?.refused ?? result), nameOf);
}
