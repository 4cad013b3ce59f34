/** Splits TXT values into strings of at most 255 octets (RFC 1035, 3.3.14). */

const MAX_OCTETS = 255;

/** Never splits a character, so that every string is valid text. */
export function txtStrings(value: string): string[] {
  const strings: string[] = [];
  let current = '';
  let octets = 0;
  for (const char of value) {
    const size = Buffer.byteLength(char);
    if (octets + size > MAX_OCTETS) {
      strings.push(current);
      current = '';
      octets = 0;
    }
    current += char;
    octets += size;
  }
  return [...strings, current];
}

/** In the form of zone files (RFC 1035, 5.1): `"…" "…"`. */
export function quotedTxt(value: string): string {
  return txtStrings(value)
    .map((one) => `"${escaped(one)}"`)
    .join(' ');
}

function escaped(text: string): string {
  return [...Buffer.from(text)].map(escapedOctet).join('');
}

function escapedOctet(octet: number): string {
  const char = String.fromCharCode(octet);
  if (char === '"' || char === '\\') return `\\${char}`;
  return octet >= 0x20 && octet < 0x7f ? char : `\\${String(octet).padStart(3, '0')}`;
}
