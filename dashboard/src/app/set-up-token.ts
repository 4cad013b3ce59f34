/**
 * The token of the setup link, which makes the first user. It comes in the fragment, is taken out of the address bar
 * at once (a shared screen, a copied address), and is kept for this tab, so that a reload does not lose it.
 */
const KEY = 'postrider-setup';

/** Before the router looks at the address. */
export function takeSetUpToken(): void {
  const token = /^#setup=([\w-]{1,200})$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  sessionStorage.setItem(KEY, token);
}

export function setUpToken(): string | null {
  return sessionStorage.getItem(KEY);
}

export function forgetSetUpToken(): void {
  sessionStorage.removeItem(KEY);
}
