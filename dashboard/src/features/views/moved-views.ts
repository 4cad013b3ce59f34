/** Moves filters that an older version of the dashboard saved in this browser to the user's own views. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, PostriderError } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { areEqual, type Filters, filtersOf, type View, type ViewList } from './queries.ts';

interface Stored {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Tried when a name is taken: “Bounces”, “Bounces (2)”, … */
const MAX_NAMES_TRIED = 5;
const MAX_NAME = 60;

/** Places that are being moved: React may run an effect twice. */
const moving = new Set<string>();

/** Once the views of the list are known. */
export function useMovedViews(list: ViewList, pathname: string, views: readonly View[] | undefined): void {
  const client = useQueryClient();
  const { organization } = useMe();
  const key = `postrider.filters.${organization.id}${pathname}`;
  const isKnown = views !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the views of the first load
  useEffect(() => {
    const stored = storedAt(key);
    if (!isKnown || stored === null || moving.has(key)) return;
    moving.add(key);
    void moveAll(list, stored, views ?? [])
      .then(() => localStorage.removeItem(key))
      // Without the server, the next visit tries again.
      .catch(() => {})
      .finally(() => {
        moving.delete(key);
        void client.invalidateQueries({ queryKey: ['views', list] });
      });
  }, [key, isKnown]);
}

async function moveAll(list: ViewList, stored: readonly Stored[], views: readonly View[]): Promise<void> {
  for (const { name, search } of stored) {
    const query = filtersOf(search);
    const isThere = views.some((view) => !view.shared && areEqual(view.query, query));
    if (!isThere) await move(list, name.trim(), query);
  }
}

async function move(list: ViewList, name: string, query: Filters): Promise<void> {
  for (let number = 1; number <= MAX_NAMES_TRIED; number += 1) {
    const end = number === 1 ? '' : ` (${number})`;
    try {
      await api.views.create({ list, name: [...name].slice(0, MAX_NAME - end.length).join('') + end, query });
      return;
    } catch (error) {
      // Filters that the list does not have any more are of no use.
      if (error instanceof PostriderError && error.status === 400) return;
      if (!isNameTaken(error)) throw error;
    }
  }
}

function isNameTaken(error: unknown): boolean {
  return (
    error instanceof PostriderError &&
    error.status === 409 &&
    error.details.some(({ field }) => field === 'name')
  );
}

/** Null if the browser has nothing for the list. Text of another form is of no use, and is removed with the rest. */
function storedAt(key: string): readonly Stored[] | null {
  try {
    const text = localStorage.getItem(key);
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isStored) : [];
  } catch {
    return null;
  }
}

function isStored(one: unknown): one is Stored {
  if (typeof one !== 'object' || one === null) return false;
  const { name, search } = one as Partial<Stored>;
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}
