/** The links of html, changed where somebody has another address for them. Nothing else of the html changes. Pure. */
import { decodeAttribute } from './attribute-text.ts';
import { type BeginTag, type TagAttribute, tagsNamed } from './tags.ts';
import { isWebAddress } from './web-address.ts';

/** What a link leads to instead; null where it stays as it is. */
export type Redirect = (url: string) => string | null;

const LINKS = /^(?:a|area)$/;
/** On the link: it stays as it is. The attribute stays, too, and means nothing to those who read the mail. */
const NO_TRACK = 'data-no-track';

/**
 * What `redirect` gives is put where the address was, between quotes or without: it must not have any character that means
 * something in html.
 */
export function redirectLinks(html: string, redirect: Redirect): string {
  let changed = '';
  let copied = 0;
  for (const tag of tagsNamed(html, LINKS)) {
    const href = hrefOf(tag);
    if (href === null) continue;
    const url = decodeAttribute(html.slice(href.start, href.end))?.trim();
    if (url === undefined || !isWebAddress(url)) continue;
    if (isUnsubscribing(html, tag)) continue;
    const instead = redirect(url);
    if (instead === null) continue;
    changed += html.slice(copied, href.start) + instead;
    copied = href.end;
  }
  return copied === 0 ? html : changed + html.slice(copied);
}

/** The first counts where there are several, as in browsers. Null where the link says that it is not to be tracked. */
function hrefOf({ attributes }: BeginTag): TagAttribute | null {
  let href: TagAttribute | null = null;
  for (const attribute of attributes) {
    const name = attribute.name.toLowerCase();
    if (name === NO_TRACK) return null;
    if (name === 'href') href ??= attribute;
  }
  return href;
}

/** `rel="unsubscribe"`. */
function isUnsubscribing(html: string, { attributes }: BeginTag): boolean {
  const rel = attributes.find(({ name }) => name.toLowerCase() === 'rel');
  return rel !== undefined && /(?:^|\s)unsubscribe(?:\s|$)/i.test(html.slice(rel.start, rel.end));
}
