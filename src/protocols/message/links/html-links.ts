/** Redirects the links of HTML, and changes nothing else. Pure. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import type { BeginTag, TagAttribute } from './tag-reader.ts';
import { tagsNamed } from './tags.ts';
import { isWebAddress } from './web-address.ts';

/** The new target of a link; null leaves it unchanged. */
export type Redirect = (url: string) => string | null;

/** Set on a link to leave it unchanged. The attribute stays in the mail, where it has no effect. */
const NO_TRACK = 'data-no-track';
const LINKS = { names: new Set(['a', 'area']), attributes: ['href', 'rel', NO_TRACK] };
/** Longer than any accepted address with every character written as a reference and surrounding space. */
const LONGEST_WRITTEN = 64 * 1024;

/**
 * The result of `redirect` replaces the address, with or without quotes, so it must not contain characters
 * with a meaning in HTML.
 */
export function* redirectingLinks(html: string, redirect: Redirect): SlicedWork<string> {
  let changed = '';
  let copied = 0;
  for (const tag of tagsNamed(html, LINKS)) {
    if (tag === null) {
      yield;
      continue;
    }
    const href = tag.attributes.get('href');
    const url = href && !tag.attributes.has(NO_TRACK) ? webAddressAt(html, href) : null;
    if (href === undefined || url === null || isUnsubscribing(html, tag)) continue;
    // `redirect` takes more time than all the rest: 15 µs.
    yield;
    const instead = redirect(url);
    if (instead === null) continue;
    changed += html.slice(copied, href.start) + instead;
    copied = href.end;
  }
  return copied === 0 ? html : changed + html.slice(copied);
}

function webAddressAt(html: string, { start, end }: TagAttribute): string | null {
  if (end - start > LONGEST_WRITTEN) return null;
  const url = decodeAttribute(html.slice(start, end))?.trim();
  return url === undefined || !isWebAddress(url) ? null : url;
}

function isUnsubscribing(html: string, { attributes }: BeginTag): boolean {
  const rel = attributes.get('rel');
  if (rel === undefined) return false;
  const value = html.slice(rel.start, Math.min(rel.end, rel.start + LONGEST_WRITTEN));
  return /(?:^|\s)unsubscribe(?:\s|$)/i.test(value);
}

/** In attributes these are valid without a semicolon too, unless a letter, a digit or `=` follows. */
const LEGACY = new Map([
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
]);
const APOSTROPHE = 'apos';
const REFERENCE = /&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z][A-Za-z0-9]*))(;?)(?=(=?))/g;
/** Legacy names without a semicolon for letters beyond ASCII. */
const OLD_NAMES =
  /^(?:[A-Za-z](?:acute|grave|circ|uml|tilde)|[Aa](?:ring|Elig|elig)|[Cc]cedil|ETH|eth|[Oo]slash|THORN|thorn|szlig|nbsp|iexcl|cent|pound|curren|yen|brvbar|sect|uml|copy|COPY|ordf|laquo|not|shy|reg|REG|macr|deg|plusmn|sup[123]|acute|micro|para|middot|cedil|ordm|raquo|frac(?:14|12|34)|iquest|times|divide)$/;

/**
 * Decodes an attribute only where its meaning is certain: `&copy=1` in a link begins a parameter and is not a character
 * reference. Null for an unknown name.
 */
function decodeAttribute(text: string): string | null {
  if (!text.includes('&')) return text;
  let isCertain = true;
  const decoded = text.replace(
    REFERENCE,
    (
      whole,
      hex: string | undefined,
      decimal: string | undefined,
      name: string | undefined,
      end: string,
      equals: string,
    ) => {
      if (name === undefined)
        return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
      if (end === '' && equals !== '') return whole;
      const character = LEGACY.get(name) ?? (name === APOSTROPHE && end !== '' ? "'" : undefined);
      if (character !== undefined) return character;
      if (end !== '' || OLD_NAMES.test(name)) isCertain = false;
      return whole;
    },
  );
  return isCertain ? decoded : null;
}

/** Only distinguishes ASCII from the rest, because links beyond ASCII are never changed. */
function characterOf(code: number): string {
  return code > 0 && code < 0x80 ? String.fromCharCode(code) : '\ufffd';
}
