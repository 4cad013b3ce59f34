/**
 * Fields that only the mail servers along the way may write, because receivers and filters believe them: how a message travelled, who
 * signed it, what was found when it was checked, whom it is for. The API refuses them. In a message that was submitted whole they
 * are taken out: a local mail server that hands mail on (Postfix, msmtp) adds some of them, and refusing would break it.
 */
const SERVER_FIELDS = new Set([
  ...['received', 'x-received', 'received-spf'],
  ...['dkim-signature', 'x-google-dkim-signature', 'domainkey-signature'],
  ...['authentication-results', 'authentication-results-original', 'x-original-authentication-results'],
  ...['delivered-to', 'x-delivered-to', 'x-original-to', 'envelope-to'],
  ...['bimi-location', 'bimi-indicator'],
]);
const FAMILIES = /^(?:arc-|resent-|x-spam|x-ms-exchange-organization-|x-forefront-antispam-)/;

/** By its name in lower case. */
export function isServerField(name: string): boolean {
  return SERVER_FIELDS.has(name) || FAMILIES.test(name);
}
