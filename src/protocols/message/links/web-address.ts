/** Addresses that a redirect can lead to without a byte of them being another. Pure. */

/** In a token it becomes a third longer, and proxies take lines of 8 KB. */
export const MAX_WEB_ADDRESS_CHARS = 2_048;
/** What is not ASCII, and spaces within, every browser writes in its own way: such links stay as they are. */
const WEB_ADDRESS = /^https?:\/\/[!-~]+$/i;

export function isWebAddress(text: string): boolean {
  return text.length <= MAX_WEB_ADDRESS_CHARS && WEB_ADDRESS.test(text);
}
