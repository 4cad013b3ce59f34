/** `j` and `k` go down and up in a list; Enter follows the link that has the focus, as ever. */

export function moveInList(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('#content a.row-link')];
  if (links.length === 0) return false;
  const place = links.indexOf(document.activeElement as HTMLElement);
  const next = place < 0 ? (step === 1 ? 0 : links.length - 1) : place + step;
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
  return true;
}
