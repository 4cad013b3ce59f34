/** Light, dark, or what the system says. The dashboard has the same choice under the same name. */
import { remember } from './storage.ts';

const KEY = 'postrider.theme';
const THEMES = ['system', 'light', 'dark'] as const;

export function offerThemes(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]');
  if (!button) return;
  const root = document.documentElement;
  const current = () => THEMES.find((one) => one === root.dataset.theme) ?? 'system';
  const tell = () => {
    button.textContent = `Theme: ${current()}`;
  };
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length] ?? 'system';
    if (next === 'system') delete root.dataset.theme;
    else root.dataset.theme = next;
    remember(KEY, next === 'system' ? null : next);
    tell();
  });
  tell();
  button.hidden = false;
}
