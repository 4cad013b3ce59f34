/**
 * Formats a TXT value for zone files: one string holds 255 bytes (RFC 1035, 3.3), so a DKIM key takes two.
 * Pure.
 */

const STRING_BYTES = 255;

export function needsSplit(value: string): boolean {
  return Buffer.byteLength(value) > STRING_BYTES;
}

/** `"…"`, or `( "…" "…" )` when one string is too short. BIND refuses longer strings, and joins these. */
export function zoneFileText(value: string): string {
  const strings = stringsOf(value).map((one) => `"${one.replace(/["\\]/g, '\\$&')}"`);
  return strings.length === 1 ? strings.join('') : `( ${strings.join(' ')} )`;
}

function stringsOf(value: string): string[] {
  const strings: string[] = [''];
  for (const char of value) {
    const last = strings.at(-1) ?? '';
    if (Buffer.byteLength(last + char) > STRING_BYTES) strings.push(char);
    else strings[strings.length - 1] = last + char;
  }
  return strings;
}
