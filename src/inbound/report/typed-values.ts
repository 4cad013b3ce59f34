/** `type; value` fields of delivery status and feedback reports (RFC 3464, 6533, 5965). */
import { halvesOf } from '../../protocols/message/address.ts';
import { plainLine } from './plain-line.ts';

const MAX_ADDRESS = 320;
const MAX_HOST = 255;

/** `rfc822; user@host`, `utf-8; …`, or an address without a type. Null for redacted and invalid values. */
export function readAddress(value: string | undefined): string | null {
  if (value === undefined) return null;
  const { type, rest } = splitType(value);
  const decoded = type.startsWith('utf-8') ? decodeUnicodeEscapes(rest) : decodeXtext(rest);
  const address = plainLine(withoutBrackets(decoded.trim()), MAX_ADDRESS + 1);
  return isAddress(address) ? address : null;
}

/** `dns; mx.example.com (192.0.2.1)` without type, comment and final dot. */
export function readHost(value: string | undefined): string | null {
  if (value === undefined) return null;
  const host = plainLine(splitType(value).rest, MAX_HOST).split(' ', 1)[0] ?? '';
  return host.replace(/\.$/, '') || null;
}

/** The type in lower case; empty if there is none. */
export function splitType(value: string): { type: string; rest: string } {
  const semicolon = value.indexOf(';');
  const type = value.slice(0, Math.max(semicolon, 0)).trim();
  if (!/^[A-Za-z0-9-]{1,40}$/.test(type)) return { type: '', rest: value.trim() };
  return { type: type.toLowerCase(), rest: value.slice(semicolon + 1).trim() };
}

function withoutBrackets(text: string): string {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  return open >= 0 && close > open ? text.slice(open + 1, close) : text;
}

/**
 * Decodes only the characters that xtext (RFC 3461) must escape in an address: `user+42@` is far more often a plus tag than an
 * encoded letter.
 */
function decodeXtext(text: string): string {
  return text.replace(/\+(?:2B|3D)/g, (code) => (code === '+2B' ? '+' : '='));
}

function decodeUnicodeEscapes(text: string): string {
  return text.replace(/\\x\{([0-9A-Fa-f]{1,6})\}/g, (code, hex: string) => {
    const point = Number.parseInt(hex, 16);
    const isCharacter = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : code;
  });
}

function isAddress(text: string): boolean {
  const { local, domain } = halvesOf(text);
  if (local === '' || domain === '' || text.length > MAX_ADDRESS) return false;
  if (/[\s<>()[\],;*]/.test(local) || /\s/.test(text)) return false;
  return !/^(?:redacted|x{3,})$/i.test(local);
}
