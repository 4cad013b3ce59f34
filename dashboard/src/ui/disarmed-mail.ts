/**
 * Takes out of mail what makes a browser speak to other hosts although nothing is loaded: links that connect ahead, and
 * instructions to the browser. With them goes what would tell the hosts of images where the mail is shown.
 */
const TELLTALE = 'link, base, meta[http-equiv], meta[name="referrer" i]';

/** `page` is the one that it is written into afterwards: in a copy of it that nobody sees, nothing is loaded. */
export function disarmed(html: string, page: Document): string {
  const { documentElement: root } = page.implementation.createHTMLDocument();
  root.innerHTML = html;
  for (const element of root.querySelectorAll(TELLTALE)) element.remove();
  for (const element of root.querySelectorAll('[referrerpolicy]')) element.removeAttribute('referrerpolicy');
  return root.innerHTML;
}
