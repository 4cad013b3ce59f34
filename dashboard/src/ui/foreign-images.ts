/** Whether HTML wants pictures from other hosts: in an attribute, or in a style. */
const FOREIGN =
  /(?:[\s"'](?:src|srcset|background|poster)\s{0,9}=|url\()\s{0,9}["']?\s{0,9}(?:https?:)?\/\//i;

/** Of huge mail the beginning is enough to offer it. */
const LOOKED_AT_CHARS = 500_000;

export function wantsForeignImages(html: string): boolean {
  return FOREIGN.test(html.slice(0, LOOKED_AT_CHARS));
}
