/**
 * Old addresses with a `#` in them, which only a browser knows: headings that moved to another page, and endpoints as they were named
 * when the reference was one page (`/docs#post_emails_send`).
 */
const OPERATION = /^(get|post|put|patch|delete)_\w+$/;

export async function followOldAddresses(): Promise<void> {
  const heading = decodeURIComponent(location.hash.slice(1));
  if (heading === '' || document.getElementById(heading)) return;
  const root = new URL(document.body.dataset.root || './', location.href);
  const isOperation = OPERATION.test(heading);
  const response = await fetch(
    new URL(isOperation ? 'reference/operations.json' : 'moved-headings.json', root),
  );
  if (!response.ok) return;
  const addresses: Record<string, string> = await response.json();
  const page = location.pathname.slice(root.pathname.length);
  const address = addresses[isOperation ? heading : `${page}#${heading}`];
  if (address !== undefined) location.replace(new URL(address, root));
}
