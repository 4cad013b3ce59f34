import { isAscii, isUtf8, transcode } from 'node:buffer';

/**
 * The text of a body or part; null if it is not UTF-8. The engine's own decoder takes twice as long for text
 * that is not ASCII, and ten times as long for ASCII.
 */
export function utf8Text(bytes: Buffer): string | null {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? transcode(bytes, 'utf8', 'utf16le').toString('utf16le') : null;
}
