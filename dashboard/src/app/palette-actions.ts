/** What the palette can do besides going to a page. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { showFirstSteps } from '../features/first-steps/hidden.ts';
import type { IconName } from '../ui/icon.tsx';
import { useCan, useMe, useMode, useSignOut, useSwitchOrganization } from './session.ts';
import { useTheme } from './theme.ts';

export interface Command {
  readonly label: string;
  /** Where labels may be the same. */
  readonly id?: string;
  readonly icon: IconName;
  readonly keys?: string;
  /** A second line. */
  readonly detail?: ReactNode;
  readonly state?: string | null;
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

/** Where else something may be that was not found. */
export function useElsewhere(text: string): readonly Command[] {
  const navigate = useNavigate();
  const mode = useMode();
  const me = useMe();
  const switchTo = useSwitchOrganization();
  const inbox: Command = {
    label: 'Search the text of captured messages',
    detail: 'The sandbox inbox also finds words in bodies.',
    icon: 'inbox',
    go: () => navigate({ to: '/inbox', search: { q: text } }),
  };
  const logs: Command = {
    label: 'Look through the refused requests',
    detail: 'Mail that was refused is not among the emails. Refused requests are kept for 7 days.',
    icon: 'logs',
    go: () => navigate({ to: '/logs', search: {} }),
  };
  const retention: Command = {
    label: 'Show how long mail is kept',
    detail: 'Older mail was deleted and cannot be found.',
    icon: 'settings',
    go: () => navigate({ to: '/settings' }),
  };
  const others = me.organizations
    .filter(({ id }) => id !== me.organization.id)
    .map(
      ({ id, name }): Command => ({
        id: `elsewhere ${id}`,
        label: `Look in ${name}`,
        detail: 'Each organization has its own mail.',
        icon: 'arrow',
        go: () => switchTo.mutate(id),
      }),
    );
  return [logs, ...(mode === 'sandbox' ? [inbox] : []), ...others, retention];
}
