/** Expands macros in SPF records (RFC 7208, section 7) to a name for the mail in question. Pure. */
import { isIPv4 } from 'node:net';
import { halvesOf } from '../message/address.ts';
import { canonicalName } from './name.ts';
import { hexDigits } from './reverse-name.ts';

export interface MacroValues {
  readonly address: string;
  /** The domain whose record is evaluated. */
  readonly domain: string;
  readonly sender: string;
  readonly helo: string;
}

/**
 * Null when the result is no valid name. `%{p}` is deprecated and costs lookups; the RFC allows `unknown`
 * instead.
 */
export function expandSpec(spec: string, values: MacroValues): string | null {
  if (!spec.includes('%')) return canonicalName(spec);
  let isKnown = true;
  const text = spec.replace(
    MACRO,
    (whole, letter?: string, digits?: string, reverse?: string, delimiters?: string) => {
      if (letter === undefined) return LITERALS[whole] ?? '';
      const value = macroValue(letter.toLowerCase(), values);
      if (value === null || digits === '0') isKnown = false;
      const part = transform(value ?? '', Number(digits || 0), reverse !== '', delimiters || '.');
      return letter === letter.toLowerCase() ? part : encodeURIComponent(part);
    },
  );
  return isKnown && !text.includes('%') ? canonicalName(shortened(text)) : null;
}

const MACRO = /%(?:[%_-]|\{([a-z])(\d*)(r?)([.+,/_=-]*)\})/gi;
const LITERALS: Readonly<Record<string, string>> = { '%%': '%', '%_': ' ', '%-': '%20' };

function macroValue(letter: string, { address, domain, sender, helo }: MacroValues): string | null {
  switch (letter) {
    case 's':
      return sender;
    case 'l':
      return halvesOf(sender).local;
    case 'o':
      return halvesOf(sender).domain;
    case 'd':
      return domain;
    case 'i':
      return isIPv4(address) ? address : [...hexDigits(address)].join('.');
    case 'p':
      return 'unknown';
    case 'v':
      return isIPv4(address) ? 'in-addr' : 'ip6';
    case 'h':
      return helo;
    default:
      return null;
  }
}

function transform(value: string, keep: number, reverse: boolean, delimiters: string): string {
  const parts = value.split(new RegExp(`[${delimiters.replace(/[-/]/g, '\\$&')}]`));
  if (reverse) parts.reverse();
  return (keep === 0 ? parts : parts.slice(-keep)).join('.');
}

/** Removes labels from the left of a name that is too long. */
function shortened(name: string): string {
  const labels = name.split('.');
  while (labels.length > 1 && labels.join('.').length > 253) labels.shift();
  return labels.join('.');
}
