/** Whether somebody has had enough of the list; each organization has its own. */
import { useState } from 'react';

const keyOf = (organizationId: string) => `postrider.first-steps.${organizationId}`;

export function useHidden(organizationId: string): readonly [hidden: boolean, hide: () => void] {
  const [hidden, setHidden] = useState(() => {
    try {
      return localStorage.getItem(keyOf(organizationId)) === 'hidden';
    } catch {
      return false;
    }
  });
  const hide = () => {
    setHidden(true);
    try {
      localStorage.setItem(keyOf(organizationId), 'hidden');
    } catch {
      // Without storage it is gone for as long as the page is there.
    }
  };
  return [hidden, hide];
}

export function showFirstSteps(organizationId: string): void {
  try {
    localStorage.removeItem(keyOf(organizationId));
  } catch {
    // Then it was never hidden for long.
  }
}
