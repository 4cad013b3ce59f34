/** The links of plain text, as mail clients find them. Nothing else of the text changes. Pure. */
import type { Redirect } from './html-links.ts';
import { isWebAddress } from './web-address.ts';

const LINK = /https?:\/\/[^\s<>"]+/gi;
/** What ends a sentence, or closes what was opened before the link, is not part of it. */
const AFTER = /[.,;:!?'\])}]+$/;

export function redirectTextLinks(text: string, redirect: Redirect): string {
  return text.replace(LINK, (found) => {
    const url = withoutEnd(found);
    return isWebAddress(url) ? (redirect(url) ?? url) + found.slice(url.length) : found;
  });
}

/** A bracket at the end is the link's own where it was opened in it. */
function withoutEnd(found: string): string {
  const end = AFTER.exec(found.slice(-20))?.[0] ?? '';
  const url = found.slice(0, found.length - end.length);
  const closing = /^[)\]}]/.exec(end)?.[0];
  const opening = closing && '([{'[')]}'.indexOf(closing)];
  return opening !== undefined && url.includes(opening) ? url + closing : url;
}
