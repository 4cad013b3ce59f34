/** Files that lead from old addresses to the pages of today. */
import { MOVED, MOVED_HEADINGS } from './moved.ts';
import { addressOf, type SiteOptions } from './page.ts';

/**
 * An installation answers old addresses itself, with redirects it reads from `moved.json`. Other web servers get a page at each old
 * address that sends the browser on. Servers never see the heading in an address, so `browser/old-addresses.ts` looks it up.
 */
export function movedFiles({ links }: SiteOptions): Map<string, string> {
  const files = new Map([
    ['moved.json', JSON.stringify(MOVED)],
    ['moved-headings.json', JSON.stringify(headings(links))],
  ]);
  if (links === 'html')
    for (const [from, to] of Object.entries(MOVED)) files.set(`${from}.html`, leadingPage(from, to));
  return files;
}

function headings(links: SiteOptions['links']): Record<string, string> {
  const address = (place: string) => {
    const [path = '', heading = ''] = place.split('#');
    return `${addressOf(path, links)}#${heading}`;
  };
  return Object.fromEntries(Object.entries(MOVED_HEADINGS).map(([from, to]) => [address(from), address(to)]));
}

function leadingPage(from: string, to: string): string {
  const address = `${'../'.repeat(from.split('/').length - 1)}${to}.html`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<meta http-equiv="refresh" content="0; url=${address}">
<link rel="canonical" href="${address}">
<p>This page has moved: <a href="${address}">open the new page</a>.</p>
</html>
`;
}
