/** What an email has to say about TLS on its way (RFC 8689): by the option `require_tls`, or a field of its header. Pure. */
import type { MessageTls } from '../protocols/smtp/facts.ts';

export const TLS_REQUIRED_FIELD = 'tls-required';

/** `fields` are the values of its `TLS-Required` fields. Who demands TLS does not mean what the field says. */
export function messageTls(requireTls: boolean, fields: readonly string[]): MessageTls | null {
  if (requireTls) return 'required';
  return fields.length > 0 && fields.every((value) => /^\s*no\s*$/i.test(value)) ? 'optional' : null;
}

/** Of headers as the API takes them, where each name is there once. */
export function tlsRequiredIn(headers: Readonly<Record<string, string>> | undefined): readonly string[] {
  if (headers === undefined) return [];
  const name = Object.keys(headers).find((one) => one.toLowerCase() === TLS_REQUIRED_FIELD);
  return name === undefined ? [] : [headers[name] ?? ''];
}
