/**
 * Fields of a submitted message that are between its sender and us. Its recipients do not get them: blind copies, the
 * return path, which is ours, and how the message is to be sent, in our words or those of other services.
 */
const PRIVATE =
  /^(?:bcc|resent-bcc|return-path|x-postrider-.*|x-pm-.*|x-smtpapi|x-mailgun-.*|x-ses-.*|(?:postrider|resend)-idempotency-key)$/;

/** By its name in lower case. */
export function isPrivateField(name: string): boolean {
  return PRIVATE.test(name);
}
