/** The reference was one page once, and the whole of /docs: `/docs#post_emails_send` was the way to an endpoint. */

export async function followOldAddresses(): Promise<void> {
  const [, operation = ''] = /^#((?:get|post|put|patch|delete)_\w+)$/.exec(location.hash) ?? [];
  if (operation === '' || document.getElementById(operation)) return;
  const root = new URL(document.body.dataset.root || './', location.href);
  const response = await fetch(new URL('reference/operations.json', root));
  if (!response.ok) return;
  const addresses: Record<string, string> = await response.json();
  const address = addresses[operation];
  if (address !== undefined) location.replace(new URL(address, root));
}
