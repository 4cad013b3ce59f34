/** `POST /v3/mail/send`: what is accepted is on disk, all of it; where anything is refused, nothing is. */
import { type SendingRequest, senderOf } from '../../emails/send-request.ts';
import type { SubmissionDeps } from '../../submission/submit.ts';
import type { DraftOf } from '../compat/draft-of.ts';
import { draftsOf } from '../compat/drafts-of.ts';
import { jsonFields } from '../compat/json-fields.ts';
import { submitAll } from '../compat/submit-all.ts';
import { isSandboxed, personalEmails } from './personal-emails.ts';

export interface SendMailDeps {
  readonly submission: SubmissionDeps;
  readonly draftOf: DraftOf;
}

/** The id of what was accepted; null where the mail was to be checked and not sent. */
export async function sendMail(
  { submission, draftOf }: SendMailDeps,
  request: SendingRequest & { readonly body: unknown },
): Promise<string | null> {
  const mail = jsonFields(request.body);
  const emails = personalEmails(mail);
  const drafts = await draftsOf(draftOf, { emails, field: 'personalizations' });
  return isSandboxed(mail) ? null : submitAll(submission, senderOf(request), drafts, emails);
}
