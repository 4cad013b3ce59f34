/** Filters that were saved under a name: the user's own, and those that the organization shares. */
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton, type MenuEntry } from '../../ui/menu-button.tsx';
import { ManageViews } from './manage-views.tsx';
import { useMovedViews } from './moved-views.ts';
import { areEqual, type Filters, filtersOf, type View, type ViewList, viewsQuery } from './queries.ts';
import { ViewDialog } from './view-dialog.tsx';

export function SavedViews({ list }: { readonly list: ViewList }) {
  const { pathname } = useLocation();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'save' | 'manage' | null>(null);
  const views = useQuery(viewsQuery(list)).data;
  useMovedViews(list, pathname, views);
  const filters = filtersOf(search);
  if (views === undefined) return null;
  const isFiltered = Object.keys(filters).length > 0;
  const shown = views.find((view) => areEqual(view.query, filters));
  if (views.length === 0 && !isFiltered) return null;
  const show = (query: Filters) => void navigate({ to: pathname, search: query as never });
  const entries: readonly MenuEntry[] = [
    ...views.map((view) => ({
      key: view.id,
      label: view.name,
      hint: whoseView(view),
      onChoose: () => show(view.query),
    })),
    ...(views.some(({ editable }) => editable)
      ? [{ key: 'manage', label: 'Change views…', onChoose: () => setOpened('manage') }]
      : []),
  ];
  const close = () => setOpened(null);
  return (
    <div className="row saved-views">
      {views.length > 0 ? (
        <MenuButton entries={entries}>
          {shown === undefined ? 'Views' : `View: ${shown.name}`} <Icon name="menu" size={13} />
        </MenuButton>
      ) : null}
      {isFiltered && shown === undefined ? (
        <Button size="small" kind="ghost" onClick={() => setOpened('save')}>
          Save view
        </Button>
      ) : null}
      {opened === 'save' ? <ViewDialog list={list} filters={filters} onClose={close} /> : null}
      {opened === 'manage' ? (
        <ManageViews list={list} views={views} filters={isFiltered ? filters : null} onClose={close} />
      ) : null}
    </div>
  );
}

export function whoseView({ shared, created_by_name: name }: View): string {
  if (!shared) return 'only you';
  return name === null ? 'shared' : `shared by ${name}`;
}
