/** Keyboard shortcuts of all pages: Ctrl+K or / for the palette, g and a letter for a page, ? for help. Off while the user types. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { PAGES } from './pages.ts';

const SECOND_KEY_WITHIN_MS = 2000;

export function useShortcuts(openPalette: () => void, openHelp: () => void): void {
  const navigate = useNavigate();
  const waitingSince = useRef(0);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.key === '?') {
        event.preventDefault();
        openHelp();
        return;
      }
      const waited = Date.now() - waitingSince.current < SECOND_KEY_WITHIN_MS;
      waitingSince.current = event.key === 'g' ? Date.now() : 0;
      const page = waited ? PAGES.find(({ key }) => key === event.key) : undefined;
      if (!page) {
        const step = { j: 1, k: -1 }[event.key] as 1 | -1 | undefined;
        if (step !== undefined && moveInList(step)) event.preventDefault();
        if (event.key === 'x' && selectRow()) event.preventDefault();
        return;
      }
      event.preventDefault();
      void navigate({ to: page.to });
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [navigate, openPalette, openHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    document.querySelector('dialog[open]') !== null
  );
}

/** `j` and `k` move down and up in a list. Enter follows the focused link, as the browser does. */
function moveInList(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('#content a.row-link')];
  if (links.length === 0) return false;
  const place = links.indexOf(document.activeElement as HTMLElement);
  const next = place < 0 ? (step === 1 ? 0 : links.length - 1) : place + step;
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
  return true;
}

/** `x` selects the row that has the focus, or takes it out of the selection. */
function selectRow(): boolean {
  const box = document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('.tick input');
  box?.click();
  return box != null;
}
