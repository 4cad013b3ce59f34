/** Filters that somebody gave a name, so that one click brings them back. They are kept in this browser. */
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../app/session.ts';
import { Button } from './button.tsx';

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

/** What `saved-filters.tsx` shows, in this browser's own storage. */
interface Saved {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

const MAX_SAVED = 20;
const keyOf = (place: string) => `postrider.filters.${place}`;

function savedIn(place: string): readonly Saved[] {
  try {
    return parsed(localStorage.getItem(keyOf(place)));
  } catch {
    return [];
  }
}

function write(place: string, saved: readonly Saved[]): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(saved.slice(-MAX_SAVED)));
  } catch {
    // Without storage they last as long as the page.
  }
}

/** Whatever is there was written by an older version, or by hand. */
function parsed(text: string | null): readonly Saved[] {
  const value: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(value)) return [];
  return value.filter(
    (one): one is Saved =>
      typeof one === 'object' &&
      one !== null &&
      typeof one.name === 'string' &&
      typeof one.search === 'object',
  );
}
