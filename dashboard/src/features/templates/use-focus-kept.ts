/** Gives the focus to another element when the focused one is removed. The browser would leave it nowhere. */
import { type RefObject, useEffect, useRef } from 'react';

export function useFocusKept(
  around: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  const hasFocus = useRef(false);
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) fallback.current?.focus();
    hasFocus.current = contains(around.current);
  });
  useEffect(() => {
    const look = () => {
      hasFocus.current = contains(around.current);
    };
    // After a click on the empty page, no element should have the focus.
    const pressed = () => requestAnimationFrame(look);
    document.addEventListener('focusin', look);
    document.addEventListener('pointerdown', pressed);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('pointerdown', pressed);
    };
  }, [around]);
}

function contains(element: HTMLElement | null): boolean {
  return element?.contains(document.activeElement) === true;
}
