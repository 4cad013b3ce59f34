/** Redirects the links of HTML, and changes nothing else. Pure. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { decodeAttribute } from './attribute-text.ts';
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

/** `rel="unsubscribe"`. */
function isUnsubscribing(html: string, { attributes }: BeginTag): boolean {
  const rel = attributes.get('rel');
  if (rel === undefined) return false;
  const value = html.slice(rel.start, Math.min(rel.end, rel.start + LONGEST_WRITTEN));
  return /(?:^|\s)unsubscribe(?:\s|$)/i.test(value);
}
