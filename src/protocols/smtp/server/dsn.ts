/** The parameters of RFC 3461, by which a client asks for delivery status notifications: whether they are well formed. Pure. */

/** Of MAIL. */
export const DSN_MAIL_PARAMETERS: readonly string[] = ['RET', 'ENVID'];
/** Of RCPT. */
export const DSN_RECIPIENT_PARAMETERS: readonly string[] = ['NOTIFY', 'ORCPT'];

const MAX_ENVID_CHARS = 100;
const MAX_ORCPT_CHARS = 500;

/** Printable ASCII; `+` begins a character in hexadecimal. */
const XTEXT = /^(?:[!-*,-<>-~]|\+[0-9A-F]{2})+$/;
/** RFC 6533: an internationalized address may stand there as it is. */
const UTF8_XTEXT = /^(?:[!-*,-<>-~\u0080-\u{10ffff}]|\+[0-9A-F]{2})+$/u;
const RETURNED = /^(?:FULL|HDRS)$/i;
const NOTIFIED = /^(?:NEVER|(?:SUCCESS|FAILURE|DELAY)(?:,(?:SUCCESS|FAILURE|DELAY)){0,2})$/i;
const ADDRESS_TYPE = /^[a-z0-9-]+$/i;

export function areDsnParameters(parameters: ReadonlyMap<string, string>): boolean {
  return [...parameters].every(([name, value]) => CHECKS[name]?.(value) ?? true);
}

const CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  RET: (value) => RETURNED.test(value),
  ENVID: (value) => value.length <= MAX_ENVID_CHARS && XTEXT.test(value),
  NOTIFY: (value) => NOTIFIED.test(value),
  ORCPT: isOriginalRecipient,
};

/** `rfc822;ada@example.org` */
function isOriginalRecipient(value: string): boolean {
  const at = value.indexOf(';');
  const type = value.slice(0, Math.max(at, 0));
  if (value.length > MAX_ORCPT_CHARS || !ADDRESS_TYPE.test(type)) return false;
  return (type.toLowerCase() === 'utf-8' ? UTF8_XTEXT : XTEXT).test(value.slice(at + 1));
}
