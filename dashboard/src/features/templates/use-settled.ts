/** The typed text, a moment after the last key. */
import { useEffect, useState } from 'react';

const PAUSE_MS = 300;

export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
