/** The reference was the whole of /docs once: `/docs#post_emails_send` was the way to an endpoint. */

export function followOldAddresses(): void {
  const root = document.body.dataset.root ?? '';
  if (!/^#(get|post|put|patch|delete)_\w+$/.test(location.hash)) return;
  const first = new URL(root === '' ? './' : root, location.href).pathname;
  if (location.pathname !== first || document.getElementById(location.hash.slice(1))) return;
  location.replace(new URL(`reference${location.hash}`, new URL(first, location.href)));
}
