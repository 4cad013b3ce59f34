/** The open dialog of a page. The address contains its name, so that the palette and links can open the dialog. */
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
