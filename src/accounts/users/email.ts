/** Parses a user's address into the one form that is stored and looked up. */
import { parseAddress } from '../../protocols/message/address.ts';

type AccountEmail =
  | { readonly ok: true; readonly email: string }
  | { readonly ok: false; readonly message: string };

export function parseAccountEmail(text: string): AccountEmail {
  const parsed = parseAddress(text.trim());
  return parsed.ok ? { ok: true, email: parsed.email.toLowerCase() } : { ok: false, message: parsed.message };
}

/** For lookups: text that is not an address matches no user. */
export function accountEmail(text: string): string {
  const parsed = parseAccountEmail(text);
  return parsed.ok ? parsed.email : text.trim().toLowerCase();
}
