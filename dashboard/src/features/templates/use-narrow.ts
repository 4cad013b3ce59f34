/** Whether the screen has no room for code and preview side by side. */
import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(max-width: 720px)');

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}
