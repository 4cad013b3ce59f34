/** Filters that somebody gave a name, so that one click brings them back. They are kept in this browser. */
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../app/session.ts';
import { Button } from './button.tsx';
import { type Saved, savedIn, write } from './saved-filter-store.ts';

export function SavedFilters() {
  const { organization } = useMe();
  const { pathname: list } = useLocation();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const place = `${organization.id}${list}`;
  const [saved, setSaved] = useState(() => savedIn(place));
  const { page: _page, open: _open, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const isKnown = saved.some((one) => JSON.stringify(one.search) === JSON.stringify(filters));
  const keep = (next: readonly Saved[]) => {
    write(place, next);
    setSaved(next);
  };
  const save = () => {
    const name = prompt('Name for these filters:')?.trim();
    if (name) keep([...saved.filter((one) => one.name !== name), { name, search: filters }]);
  };
  if (saved.length === 0 && !isFiltered) return null;
  return (
    <div className="row saved-filters">
      {saved.map((one) => (
        <span key={one.name} className="saved-filter">
          <button
            type="button"
            className="link-button"
            onClick={() => void navigate({ to: list, search: one.search as never })}
          >
            {one.name}
          </button>
          <button
            type="button"
            className="button ghost small"
            aria-label={`Delete the filters ${one.name}`}
            onClick={() => keep(saved.filter(({ name }) => name !== one.name))}
          >
            ×
          </button>
        </span>
      ))}
      {isFiltered && !isKnown ? (
        <Button size="small" kind="ghost" onClick={save}>
          Save these filters
        </Button>
      ) : null}
    </div>
  );
}
