/** The links of html, changed where somebody has another address for them. Nothing else of the html changes. Pure. */
import { atOnce, type SlicedWork } from '../../../runtime/sliced-work.ts';
import { decodeAttribute } from './attribute-text.ts';
import type { BeginTag, TagAttribute } from './tag-reader.ts';
import { tagsNamed } from './tags.ts';
import { isWebAddress } from './web-address.ts';

/** What a link leads to instead; null where it stays as it is. */
export type Redirect = (url: string) => string | null;

/** On the link: it stays as it is. The attribute stays, too, and means nothing to those who read the mail. */
const NO_TRACK = 'data-no-track';
const LINKS = { names: new Set(['a', 'area']), attributes: ['href', 'rel', NO_TRACK] };
/** More than any address that is short enough takes, with every character written as a reference and space around it. */
const LONGEST_WRITTEN = 64 * 1024;

/**
 * What `redirect` gives is put where the address was, between quotes or without: it must not have any character that means
 * something in html.
 */
export function redirectLinks(html: string, redirect: Redirect): string {
  return atOnce(redirectingLinks(html, redirect));
}

/** The same for html of any size. */
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
    // What it does is more work than all the rest: some 15 µs.
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
