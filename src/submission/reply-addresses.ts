/** Where replies to an email are received. Mail that does not request this costs nothing. */
import type { MailOptions } from '../emails/email.ts';
import type { EmailAddress, MailDomain } from '../protocols/message/address.ts';
import type { AnsweredEmail } from '../protocols/message/reply-address.ts';

/** The address that replies to an email go to. */
export type AnswerPlace = (email: AnsweredEmail) => EmailAddress;

export interface AnswerPlaces {
  /** Returns the function for mail from a domain. Left out if nobody receives replies. */
  readonly answerPlace?:
    | ((organizationId: string, fromDomain: MailDomain) => Promise<AnswerPlace>)
    | undefined;
}

export async function answersOf(
  { answerPlace }: AnswerPlaces,
  { organizationId, fromDomain }: { readonly organizationId: string; readonly fromDomain: MailDomain },
  { receiveReplies }: Pick<MailOptions, 'receiveReplies'>,
): Promise<AnswerPlace | null> {
  if (!receiveReplies || answerPlace === undefined) return null;
  return answerPlace(organizationId, fromDomain);
}
