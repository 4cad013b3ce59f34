/** What has to be known of a message's header before anybody reads it. Pure, and linear in its length. */

/** More than any header that is one. */
const MAX_LOOKED_BYTES = 256 * 1024;

/** Up to the first empty line. */
export function headerBytes(raw: Buffer): Buffer {
  const looked = raw.subarray(0, MAX_LOOKED_BYTES);
  const ends = ['\r\n\r\n', '\n\n'].map((end) => looked.indexOf(end)).filter((at) => at >= 0);
  return ends.length === 0 ? looked : looked.subarray(0, Math.min(...ends));
}

export function headerHas(header: Buffer, name: string): boolean {
  return countFields(header, name) > 0;
}

/** How many servers it went through already. */
export function hopsOf(raw: Buffer): number {
  return countFields(headerBytes(raw), 'received');
}

function countFields(header: Buffer, name: string): number {
  const text = header.toString('latin1');
  return [...text.matchAll(new RegExp(`(?:^|\\n)${name}[ \\t]*:`, 'gi'))].length;
}
