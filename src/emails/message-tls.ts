/** The TLS requirement of an email (RFC 8689): the option `require_tls`, or a header field. Pure. */
import type { MessageTls } from '../protocols/smtp/facts.ts';

export const TLS_REQUIRED_FIELD = 'tls-required';

/** `fields` are the values of its `TLS-Required` fields. The option `require_tls` overrides them. */
export function messageTls(requireTls: boolean, fields: readonly string[]): MessageTls | null {
  if (requireTls) return 'required';
  return fields.length > 0 && fields.every((value) => /^\s*no\s*$/i.test(value)) ? 'optional' : null;
}

/** For headers in the API's format, where each name occurs once. */
export function tlsRequiredIn(headers: Readonly<Record<string, string>> | undefined): readonly string[] {
  if (headers === undefined) return [];
  const name = Object.keys(headers).find((one) => one.toLowerCase() === TLS_REQUIRED_FIELD);
  return name === undefined ? [] : [headers[name] ?? ''];
}
