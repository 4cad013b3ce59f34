/** Which dialog of a page is open. It stands in the address, so that the palette and links can lead to it. */
import { useNavigate, useSearch } from '@tanstack/react-router';

export function useOpenDialog(name: string): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const setOpen = (open: boolean) => {
    const { open: _before, ...others } = search;
    const next = open ? { ...others, open: name } : others;
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  };
  return [search.open === name, setOpen];
}
