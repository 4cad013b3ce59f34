/** Makes untrusted words and numbers safe to store: short, on one line, and in their expected form. */
import { isIP } from 'node:net';
import { plainLine } from '../report/plain-line.ts';

const MAX_NAME_CHARS = 200;
const MAX_DOMAIN_CHARS = 253;
/** More than one receiver can see in a day. */
const MAX_COUNT = 1_000_000_000;

export function reportedName(text: string | undefined): string {
  return printable(text, MAX_NAME_CHARS);
}

export function reportedDomain(text: string | undefined): string | null {
  const name = printable(text, MAX_DOMAIN_CHARS).toLowerCase().replace(/\.$/, '');
  return name === '' ? null : name;
}

/** A result such as `pass` or `temperror`. */
export function reportedWord(text: string | undefined): string | null {
  const word = (text ?? '').trim().toLowerCase();
  return /^[a-z0-9_/-]{1,60}$/.test(word) ? word : null;
}

export function reportedIp(text: string | undefined): string | null {
  const address = (text ?? '').trim().toLowerCase();
  return isIP(address) > 0 && !address.includes('%') ? address : null;
}

/** Null for an implausible count. */
export function reportedCount(value: unknown, most: number = MAX_COUNT): number | null {
  const text = typeof value === 'string' ? value.trim() : String(value);
  if (!/^\d{1,12}$/.test(text)) return null;
  const count = Number(text);
  return count <= most ? count : null;
}

/** Replaces lone surrogates, which the database refuses. */
function printable(text: string | undefined, max: number): string {
  return plainLine(text ?? '', max).replace(/\p{Cs}/gu, '\ufffd');
}
