/** The address somebody signs in with, in the one form it is stored and looked up in. */
import { parseAddress } from '../../protocols/message/address.ts';

export type AccountEmail =
  | { readonly ok: true; readonly email: string }
  | { readonly ok: false; readonly message: string };

export function parseAccountEmail(text: string): AccountEmail {
  const parsed = parseAddress(text.trim());
  return parsed.ok ? { ok: true, email: parsed.email.toLowerCase() } : { ok: false, message: parsed.message };
}

/** For looking somebody up: what is no address is nobody's. */
export function accountEmail(text: string): string {
  const parsed = parseAccountEmail(text);
  return parsed.ok ? parsed.email : text.trim().toLowerCase();
}
