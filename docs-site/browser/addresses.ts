/** Where an installation serves these pages, what is to be copied names it: the example's address is nobody's. */

const EXAMPLE = 'POSTRIDER_URL=https://mail.example.org';

export function nameThisInstallation(): void {
  if (document.body.dataset.served === undefined) return;
  for (const block of document.querySelectorAll('.code code')) {
    if (!block.textContent?.includes(EXAMPLE)) continue;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      node.nodeValue = node.nodeValue?.replaceAll('https://mail.example.org', location.origin) ?? '';
  }
}
