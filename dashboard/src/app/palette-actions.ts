/** What the palette can do and find besides going to a page. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { domainsQuery } from '../features/domains/queries.ts';
import { showFirstSteps } from '../features/first-steps/hidden.ts';
import type { IconName } from '../ui/icon.tsx';
import { api } from './api.ts';
import { useCan, useMe, useSignOut, useSwitchOrganization } from './session.ts';
import { useTheme } from './theme.ts';

export interface Command {
  readonly label: string;
  /** Where labels may be the same. */
  readonly id?: string;
  readonly icon: IconName;
  readonly keys?: string;
  /** Words people may look for it by. */
  readonly words?: string;
  readonly go: () => unknown;
}

type Navigate = ReturnType<typeof useNavigate>;

/** Changes that begin with a dialog of some page. */
const CHANGES = [
  { label: 'Add a domain', icon: 'domains', to: '/domains', open: 'add', words: 'new verify dns' },
  { label: 'Create an API key', icon: 'key', to: '/settings/api-keys', open: 'new', words: 'new token' },
] as const;

export function useActions(): readonly Command[] {
  const navigate = useNavigate();
  const can = useCan();
  const me = useMe();
  const signOut = useSignOut();
  const switchTo = useSwitchOrganization();
  const [, chooseTheme] = useTheme();
  const open = (to: string, name: string) => () => navigate({ to, search: { open: name } as never });
  const changes = can.change
    ? CHANGES.map(({ to, open: name, ...rest }) => ({ ...rest, go: open(to, name) }))
    : [];
  const invite: Command = {
    label: 'Invite a member',
    icon: 'members',
    words: 'add user team',
    go: open('/settings/members', 'invite'),
  };
  return [
    ...changes,
    ...(can.own ? [invite] : []),
    {
      label: 'Show the first steps',
      icon: 'check',
      words: 'set up checklist code',
      go: firstSteps(me, navigate),
    },
    { label: 'Use the light theme', icon: 'sun', words: 'colours', go: () => chooseTheme('light') },
    { label: 'Use the dark theme', icon: 'moon', words: 'colours', go: () => chooseTheme('dark') },
    ...me.organizations
      .filter(({ id }) => id !== me.organization.id)
      .map(
        ({ id, name }): Command => ({
          label: `Switch to ${name}`,
          icon: 'arrow',
          go: () => switchTo.mutate(id),
        }),
      ),
    { label: 'Sign out', icon: 'out', go: () => signOut.mutate() },
  ];
}

function firstSteps({ organization }: ReturnType<typeof useMe>, navigate: Navigate) {
  return () => {
    showFirstSteps(organization.id);
    return navigate({ to: '/', search: { steps: 'shown' } as never });
  };
}

/** Templates and domains of that name. */
export function useFound(text: string): readonly Command[] {
  const navigate = useNavigate();
  const wanted = text.toLowerCase();
  const isAsked = wanted.length >= 2;
  const domains = useQuery({ ...domainsQuery, enabled: isAsked, refetchInterval: false });
  const templates = useQuery({
    queryKey: ['templates', 'palette', wanted],
    queryFn: ({ signal }) => api.templates.list({ search: wanted, limit: 5 }, { signal }),
    enabled: isAsked,
    staleTime: 30_000,
  });
  if (!isAsked) return [];
  const named = domains.data?.filter(
    ({ domain, display_name }) => domain.includes(wanted) || display_name.includes(wanted),
  );
  return [
    ...(templates.data?.data ?? []).map(
      ({ id, name }): Command => ({
        id,
        label: `Template ${name}`,
        icon: 'templates',
        go: () => navigate({ to: '/templates/$id', params: { id } }),
      }),
    ),
    ...(named ?? []).slice(0, 5).map(
      ({ id, display_name }): Command => ({
        label: `Domain ${display_name}`,
        icon: 'domains',
        go: () => navigate({ to: '/domains/$id', params: { id } }),
      }),
    ),
  ];
}
