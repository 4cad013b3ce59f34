/**
 * Fields of a submitted message that its recipients do not get: blind copies, the return path, which is ours,
 * and sending options, ours or those of other services.
 */
const PRIVATE =
  /^(?:bcc|resent-bcc|return-path|x-postrider-.*|x-pm-.*|x-smtpapi|x-mailgun-.*|x-ses-.*|(?:postrider|resend)-idempotency-key)$/;

/** `name` is in lower case. */
export function isPrivateField(name: string): boolean {
  return PRIVATE.test(name);
}
