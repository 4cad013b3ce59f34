/** `POST /v3/mail/send`. Either all emails are stored on disk, or the request is refused as a whole. */

import type { DraftOf } from '../../../emails/http/draft-of.ts';
import { type SendingRequest, senderOf } from '../../../emails/http/send-request.ts';
import { jsonFields } from '../../../http/json-fields.ts';
import type { SubmissionDeps } from '../../../submission/submit.ts';
import { draftsOf } from '../drafts-of.ts';
import { submitAll } from '../submit-all.ts';
import { isSandboxed, personalEmails } from './personal-emails.ts';

export interface SendMailDeps {
  readonly submission: SubmissionDeps;
  readonly draftOf: DraftOf;
}

/** The id of the accepted mail; null when it was only validated. */
export async function sendMail(
  { submission, draftOf }: SendMailDeps,
  request: SendingRequest & { readonly body: unknown },
): Promise<string | null> {
  const mail = jsonFields(request.body);
  const emails = personalEmails(mail);
  const drafts = await draftsOf(draftOf, { emails, field: 'personalizations' });
  return isSandboxed(mail) ? null : submitAll(submission, senderOf(request), drafts, emails);
}
