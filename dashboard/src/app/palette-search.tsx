/** What the palette finds on the server: at most five of each kind, each with why it matters. */
import type { SearchGroup, SearchHit } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import type { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { REASONS } from '../features/logs/reasons.ts';
import type { IconName } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { api } from './api.ts';
import type { Command } from './palette-actions.ts';

/** Not every letter is a request. */
const PAUSE_MS = 250;
const LEAST_CHARS = 2;
const TRIES = 3;
const AGAIN_MS = 2_000;

type Kind = SearchGroup['kind'];
type Navigate = ReturnType<typeof useNavigate>;

export interface CommandGroup {
  readonly label: string;
  readonly commands: readonly Command[];
}

/** A search that the server could not finish in time is sent again: what it read is in memory by then. */
export function useSearch(text: string) {
  const settled = useSettled(text);
  const query = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => api.search.find({ q: settled }, { signal }),
    enabled: settled.length >= LEAST_CHARS,
    staleTime: 10_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < TRIES && state.data?.some(isLate) ? AGAIN_MS : false,
  });
  const isCurrent = settled === text;
  return {
    groups: isCurrent ? query.data : undefined,
    error: isCurrent ? query.error : null,
    isSearching: text.length >= LEAST_CHARS && (!isCurrent || query.isLoading),
  };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const isLate = ({ outcome }: SearchGroup) => outcome === 'timed_out';

interface KindOfHit {
  readonly label: string;
  readonly icon: IconName;
  /** The page of a hit. */
  readonly open: (navigate: Navigate, hit: SearchHit) => unknown;
  /** The list of this kind. */
  readonly list: (navigate: Navigate, text: string) => unknown;
  readonly title?: (hit: SearchHit) => string;
  readonly detail?: (hit: SearchHit) => ReactNode;
  readonly state?: (state: string) => string | null;
}

const KINDS: Readonly<Record<Kind, KindOfHit>> = {
  suppressions: {
    label: 'Suppressed addresses',
    icon: 'suppressions',
    open: (navigate, { title }) => navigate({ to: '/suppressions', search: { email: title } }),
    list: (navigate, text) => navigate({ to: '/suppressions', search: { search: text } }),
    title: personOf,
    detail: ({ message, at }) => (
      <>
        {message} Since <Time at={at} style="exact" />.
      </>
    ),
  },
  emails: {
    label: 'Emails',
    icon: 'emails',
    open: (navigate, { id }) => navigate({ to: '/emails/$id', params: { id } }),
    list: (navigate, text) => navigate({ to: '/emails', search: { search: text } }),
  },
  request_logs: {
    label: 'Refused requests',
    icon: 'logs',
    open: (navigate, { id }) => navigate({ to: '/logs/$id', params: { id } }),
    list: (navigate) => navigate({ to: '/logs', search: {} }),
    state: (code) => REASONS[code] ?? code,
  },
  inbound: {
    label: 'Received mail',
    icon: 'received',
    open: (navigate, { id }) => navigate({ to: '/inbound/$id', params: { id } }),
    list: (navigate, text) => navigate({ to: '/inbound', search: { q: text } }),
    state: () => null,
  },
  templates: {
    label: 'Templates',
    icon: 'templates',
    open: (navigate, { id }) => navigate({ to: '/templates/$id', params: { id } }),
    list: (navigate, text) => navigate({ to: '/templates', search: { search: text } }),
    state: () => null,
  },
  domains: {
    label: 'Domains',
    icon: 'domains',
    open: (navigate, { id }) => navigate({ to: '/domains/$id', params: { id } }),
    list: (navigate) => navigate({ to: '/domains' }),
  },
  webhooks: {
    label: 'Webhooks',
    icon: 'webhooks',
    open: (navigate, { id }) => navigate({ to: '/webhooks/$id', params: { id } }),
    list: (navigate) => navigate({ to: '/webhooks' }),
  },
};

/** The hits of each kind, and the way to its list where there is more, or where the time was too short. */
export function groupsOf(
  groups: readonly SearchGroup[],
  text: string,
  navigate: Navigate,
): readonly CommandGroup[] {
  return groups.flatMap((group) => {
    const { label } = KINDS[group.kind];
    const commands = [...group.hits.map((hit) => hitCommand(group.kind, hit, navigate))];
    const list = listCommand(group, text, navigate);
    if (list !== null) commands.push(list);
    return commands.length === 0 ? [] : [{ label, commands }];
  });
}

function hitCommand(kind: Kind, hit: SearchHit, navigate: Navigate): Command {
  const { icon, open, title = ({ title }) => title, detail = detailOf, state = (code) => code } = KINDS[kind];
  return {
    id: `${kind} ${hit.id}`,
    icon,
    label: title(hit),
    detail: detail(hit),
    state: hit.state === null ? null : state(hit.state),
    go: () => open(navigate, hit),
  };
}

function listCommand(
  { kind, outcome, has_more: hasMore, hits }: SearchGroup,
  text: string,
  navigate: Navigate,
): Command | null {
  const { label, icon, list } = KINDS[kind];
  const name = label.toLowerCase();
  const go = () => list(navigate, text);
  const id = `${kind} list`;
  const open = { id, icon, label: `Open the list of ${name}`, go };
  if (outcome === 'timed_out') return { ...open, detail: `${label} were not searched in time.` };
  if (outcome === 'limited' && hits.length === 0)
    return { ...open, detail: `Only the newest ${name} were searched.` };
  // The emails have a search of their own below.
  return hasMore && kind !== 'emails' ? { id, icon, label: `More ${name} with “${text}”`, go } : null;
}

function personOf({ email, name }: SearchHit): string {
  if (email === null) return name ?? '';
  return name === null ? email : `${name} <${email}>`;
}

function detailOf(hit: SearchHit): ReactNode {
  const person = personOf(hit);
  return (
    <>
      {person === '' ? '' : `${person} · `}
      <Time at={hit.at} />
      {hit.message === null ? '' : ` · ${hit.message}`}
    </>
  );
}
