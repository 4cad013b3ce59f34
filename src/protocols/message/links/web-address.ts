/** Addresses that a redirect can reproduce byte by byte. Pure. */

/** A token is a third longer than its address, and proxies accept lines of 8 KB. */
export const MAX_WEB_ADDRESS_CHARS = 2_048;
/**
 * Links with characters beyond ASCII or inner spaces stay unchanged, because browsers encode them
 * differently.
 */
const WEB_ADDRESS = /^https?:\/\/[!-~]+$/i;

export function isWebAddress(text: string): boolean {
  return text.length <= MAX_WEB_ADDRESS_CHARS && WEB_ADDRESS.test(text);
}
