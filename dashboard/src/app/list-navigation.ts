/** The way from one view of a list to another, which the browser's history keeps. */
import { useNavigate } from '@tanstack/react-router';

type Search = Readonly<Record<string, unknown>>;

/** Every filter and every page is an entry of the history. More letters of the same text continue the entry. */
export function useListNavigation(to: string): (before: object, after: object) => void {
  const navigate = useNavigate();
  return (before, after) =>
    void navigate({ to, search: after as never, replace: continuesTyping({ ...before }, { ...after }) });
}

export function continuesTyping(before: Search, after: Search): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => before[name] !== after[name]);
  const [name] = changed;
  if (changed.length !== 1 || name === undefined) return false;
  const [text, next] = [before[name], after[name]];
  if (typeof text !== 'string' || typeof next !== 'string') return false;
  return text.startsWith(next) || next.startsWith(text);
}
