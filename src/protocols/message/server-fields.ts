/**
 * Fields that only mail servers may write, because receivers and filters trust them: routing, signatures,
 * check results and recipients. The API refuses them. In a raw submitted message they are removed instead:
 * local mail servers (Postfix, msmtp) add some of them, and a refusal would break these setups.
 */
const SERVER_FIELDS = new Set([
  ...['received', 'x-received', 'received-spf'],
  ...['dkim-signature', 'x-google-dkim-signature', 'domainkey-signature'],
  ...['authentication-results', 'authentication-results-original', 'x-original-authentication-results'],
  ...['delivered-to', 'x-delivered-to', 'x-original-to', 'envelope-to'],
  ...['bimi-location', 'bimi-indicator'],
]);
const FAMILIES = /^(?:arc-|resent-|x-spam|x-ms-exchange-organization-|x-forefront-antispam-)/;

/** `name` is in lower case. */
export function isServerField(name: string): boolean {
  return SERVER_FIELDS.has(name) || FAMILIES.test(name);
}

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
