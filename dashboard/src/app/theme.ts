/** Light, dark, or what the system says. The choice is applied before the first paint by public/theme.js. */
import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'postrider.theme';

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(stored);
  const choose = (wanted: Theme) => {
    setTheme(wanted);
    if (wanted === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = wanted;
    try {
      if (wanted === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, wanted);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  };
  return [theme, choose];
}

function stored(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}
