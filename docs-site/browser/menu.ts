/** On a phone the navigation is below the text; with a script it opens above it. */

export function offerMenu(): void {
  const button = document.querySelector<HTMLAnchorElement>('[data-menu-button]');
  const menu = document.getElementById('menu');
  if (!button || !menu) return;
  button.setAttribute('role', 'button');
  button.setAttribute('aria-expanded', 'false');
  const show = (isOpen: boolean) => {
    document.body.classList.toggle('menu-open', isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) menu.focus();
    else button.focus();
  };
  const isOpen = () => document.body.classList.contains('menu-open');
  button.addEventListener('click', (event) => {
    event.preventDefault();
    show(!isOpen());
  });
  button.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    show(!isOpen());
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isOpen()) show(false);
  });
}
